import Groundwork

extension CommandContext {
    /// What the name of a file ends with until it takes its place.
    static let spareSuffix = ".new"

    /// Writes to standard output.
    func write(_ text: String) throws(Problem) {
        try write(Array(text.utf8), to: nil)
    }

    /// Writes to `output`, whole or not at all; to standard output if that is `nil` or `-`.
    func write(_ bytes: [UInt8], to output: String?) throws(Problem) {
        let file = output == "-" ? nil : output
        do throws(SystemError) {
            if let file { try Self.write(bytes, at: absolute(file)) } else { try standardOutput(bytes) }
        } catch {
            throw Problem("\(file.map { "the output \($0)" } ?? "standard output") cannot be written: \(error)")
        }
    }

    private static func write(_ bytes: [UInt8], at path: String) throws(SystemError) {
        var status = stat()
        let kind = stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
        switch kind {
        case S_IFDIR: throw SystemError(code: EISDIR)
        case S_IFREG:
            let file = FilePath(path).target
            try file.replace(with: bytes, by: "\(file.path).\(getpid())\(spareSuffix)")
        default:  // such as /dev/stdout: nothing to rename
            try Descriptor.withFile(at: path, O_WRONLY) { (file) throws(SystemError) in try file.writeAll(bytes) }
        }
    }
}
