import Foundation
import Groundwork

/// What the command knows of the process that it runs in, and where it writes: a test has its own.
struct CommandContext {
    var environment: [String: String]
    /// What relative paths start from.
    var workingDirectory: String
    /// Whether standard output is a terminal.
    var isTerminal: Bool
    /// The same of standard error.
    var isErrorTerminal = false
    /// How wide the terminal is; `nil` if it does not say.
    var columns: Int?
    var now: () -> Date = Date.init
    var standardInput: () throws(SystemError) -> [UInt8]
    var standardOutput: ([UInt8]) throws(SystemError) -> Void
    var standardError: ([UInt8]) throws(SystemError) -> Void

    /// How wide the terminal at standard output is.
    private static var terminalColumns: Int? {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Those of this process.
    static var process: CommandContext {
        CommandContext(
            environment: ProcessInfo.processInfo.environment,
            workingDirectory: FileManager.default.currentDirectoryPath,
            isTerminal: isatty(1) != 0,
            isErrorTerminal: isatty(2) != 0,
            columns: terminalColumns,
            standardInput: { () throws(SystemError) in try Descriptor(number: 0).readAll() },
            standardOutput: { (bytes) throws(SystemError) in try Descriptor(number: 1).writeAll(bytes) },
            standardError: { (bytes) throws(SystemError) in try Descriptor(number: 2).writeAll(bytes) }
        )
    }

    /// What text on standard output is written for.
    var terminal: Terminal {
        guard isTerminal else { return Terminal() }
        let hasColor = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        return Terminal(width: columns ?? Terminal().width, hasColor: hasColor)
    }

    /// Writes one line about what the command does, or why it does not, on standard error.
    func say(_ line: String) {
        // An error is ignored: if standard error cannot be written, it cannot be reported.
        do { try standardError(Array("retries: \(line.onOneLine)\n".utf8)) } catch {}
    }

    /// `path` as the system finds it, whatever the process's own working directory is.
    func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(workingDirectory)/\(path)"
    }
}

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
