import Groundwork

/// A file that is written whole or not at all.
struct OutputFile {
    /// As it was named, for messages.
    let name: String
    let path: String

    /// What the name of a file ends with until it takes its place.
    static let spareSuffix = ".new"

    func write(_ bytes: [UInt8]) throws(OutputProblem) {
        do throws(SystemError) {
            if isPipeOrDevice {
                try Descriptor.withFile(at: path, O_WRONLY) { (file) throws(SystemError) in try file.writeAll(bytes) }
            } else {
                let file = FilePath(path).target
                guard !Self.isFolder(file.path) else { throw SystemError(code: EISDIR) }
                try file.replace(with: bytes, by: "\(file.path).\(getpid())\(Self.spareSuffix)")
            }
        } catch {
            throw OutputProblem(description: "the output \(name) cannot be written: \(error)")
        }
    }

    /// Such as `/dev/stdout`: nothing to rename.
    private var isPipeOrDevice: Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return kind != S_IFREG && kind != S_IFDIR
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

struct OutputProblem: Error, CustomStringConvertible {
    let description: String
}

extension Surroundings {
    /// Writes to `output`; to standard output if that is `nil` or `-`.
    func write(_ bytes: [UInt8], to output: String?) throws(OutputProblem) {
        if let output, output != "-" {
            return try OutputFile(name: output, path: absolute(output)).write(bytes)
        }
        do {
            try standardOutput(bytes)
        } catch {
            throw OutputProblem(description: "standard output cannot be written: \(error)")
        }
    }
}
