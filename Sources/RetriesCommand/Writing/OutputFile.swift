import Groundwork

/// A file that is written whole or not at all.
struct OutputFile {
    /// As it was named, for messages.
    let name: String
    let path: String

    /// What the name of a file ends with until it takes its place.
    static let spareSuffix = ".new"

    func write(_ bytes: [UInt8]) throws(Problem) {
        do throws(SystemError) {
            let kind = kind
            if let kind, kind != S_IFREG, kind != S_IFDIR {  // such as /dev/stdout: nothing to rename
                try Descriptor.withFile(at: path, O_WRONLY) { (file) throws(SystemError) in try file.writeAll(bytes) }
            } else {
                guard kind != S_IFDIR else { throw SystemError(code: EISDIR) }
                let file = FilePath(path).target
                try file.replace(with: bytes, by: "\(file.path).\(getpid())\(Self.spareSuffix)")
            }
        } catch {
            throw Problem("the output \(name) cannot be written: \(error)")
        }
    }

    /// What stands at the path; `nil` if nothing does.
    private var kind: mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}

extension CommandContext {
    /// Writes to standard output.
    func write(_ text: String) throws(Problem) {
        try write(Array(text.utf8), to: nil)
    }

    /// Writes to `output`; to standard output if that is `nil` or `-`.
    func write(_ bytes: [UInt8], to output: String?) throws(Problem) {
        if let output, output != "-" {
            return try OutputFile(name: output, path: absolute(output)).write(bytes)
        }
        do {
            try standardOutput(bytes)
        } catch {
            throw Problem("standard output cannot be written: \(error)")
        }
    }
}
