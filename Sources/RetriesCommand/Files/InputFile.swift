import RetryReport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One file that the command reads.
struct InputFile: Hashable {
    /// As it was named, for messages.
    let name: String
    /// Where it is; `nil` for standard input.
    let path: String?

    func bytes(in surroundings: Surroundings) throws(ReportFileError) -> [UInt8] {
        do throws(SystemError) {
            guard let path else { return try surroundings.standardInput() }
            let number = open(path, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else { throw .last }
            let descriptor = Descriptor(number: number)
            defer { descriptor.close() }
            return try descriptor.readAll()
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
