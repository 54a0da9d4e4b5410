import Groundwork
import RetryReport

/// One file that the command reads.
struct InputFile: Hashable {
    /// As it was named, for messages.
    let name: String
    /// Where it is; `nil` for standard input.
    let path: String?

    func bytes(in surroundings: Surroundings) throws(ReportFileError) -> [UInt8] {
        do throws(SystemError) {
            guard let path else { return try surroundings.standardInput() }
            return try Descriptor.withFile(at: path, O_RDONLY) { (file) throws(SystemError) in try file.readAll() }
        } catch {
            throw ReportFileError(path: name, cause: "cannot be read: \(error)")
        }
    }

    func report(in surroundings: Surroundings) throws(ReportFileError) -> Report {
        let bytes = try bytes(in: surroundings)
        do {
            return try Report(json: bytes)
        } catch {
            throw ReportFileError(path: name, cause: "cannot be read: \(error)")
        }
    }
}
