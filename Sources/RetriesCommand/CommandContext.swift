import Foundation
import Groundwork
import RetryReport

/// The parts of the process that the command uses, so that tests can replace them.
struct CommandContext {
    var environment = ProcessInfo.processInfo.environment
    /// The folder that relative paths start from.
    var workingDirectory = FileManager.default.currentDirectoryPath
    var isTerminal = isatty(1) != 0
    var isErrorTerminal = isatty(2) != 0
    var now: () -> Date = Date.init
    /// Decides when a day ends.
    var timeZone = TimeZone.ofSystem
    var standardInput: () throws -> [UInt8] = { try Descriptor(number: 0).readAll() }
    var standardOutput: ([UInt8]) throws -> Void = { try Descriptor(number: 1).writeAll($0) }
    var standardError: ([UInt8]) throws -> Void = { try Descriptor(number: 2).writeAll($0) }

    var today: Day { Day(now(), in: timeZone) }

    /// Whether text that goes to `output` has colors; to standard output if that is `nil`.
    func hasColor(in output: String? = nil) -> Bool {
        let allowsColor = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        return isTerminal && output == nil && allowsColor
    }

    func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(workingDirectory)/\(path)"
    }

    /// The folder of the package that the command is called in: the nearest one, here or above, with a `Package.swift`.
    var packageFolder: String? { FilePath(workingDirectory).nearestFolder(holding: "Package.swift") }

    /// This context in the folder that `swift test` of a command runs in, by its `--package-path`.
    func inPackage(of command: [String]) -> CommandContext {
        var context = self
        let folder = Condition.isTest(command) ? Condition.values(of: "--package-path", in: command).last : nil
        context.workingDirectory = folder.map { InputFile.resolved(absolute($0)) } ?? workingDirectory
        return context
    }

    /// The folder of the repository, or else of the package; `nil` if there is neither.
    var repositoryFolder: String? { FilePath(workingDirectory).nearestFolder(holding: ".git") ?? packageFolder }

    /// The path of the package that the one of these files is in; `nil` if it is ``packageFolder``, or if there is none.
    func otherPackage(of paths: [String]) -> String? {
        guard paths.count == 1 else { return nil }
        let package = FilePath(absolute(paths[0])).nearestFolder(holding: "Package.swift")
        return package == packageFolder ? nil : package.map { FilePath($0).relative(to: workingDirectory) }
    }

    func input(_ argument: String) -> InputFile {
        guard argument != "-" else { return InputFile(name: "standard input", path: nil) }
        let name = argument.count > 1 && argument.hasSuffix("/") ? String(argument.dropLast()) : argument
        return InputFile(name: name, path: absolute(argument))
    }

    /// Writes one line about the command's work, or its error, on standard error.
    func log(_ line: String) { writeError("retries: \(line.onOneLine)\n") }

    func writeError(_ text: String) {
        // An error is ignored: if standard error cannot be written, it cannot be reported.
        do { try standardError(Array(text.utf8)) } catch {}
    }

    func write(_ text: String) throws { try write(Array(text.utf8), to: nil) }

    /// Writes to `output`, whole or not at all, and makes its folder; to standard output if that is `nil`, `-` or its path.
    func write(_ bytes: [UInt8], to output: String?) throws {
        let file = ["-", "/dev/stdout"].contains(output) ? nil : output
        do {
            guard let path = file.map({ FilePath(absolute($0)) }) else { return try standardOutput(bytes) }
            if path.path == "/dev/stderr" { return try standardError(bytes) }
            if let number = path.descriptor {
                try Descriptor(number: number).writeAll(bytes)
            } else if let kind = path.kind, kind != S_IFREG {
                // Such as a named pipe, which must not be replaced.
                try Descriptor.withFile(at: path.path, O_WRONLY) { (file) throws(SystemError) in
                    try file.writeAll(bytes)
                }
            } else {
                let target = path.target
                try FilePath(target.folder).makeFolder()
                try target.replace(with: bytes, by: "\(target.path).\(getpid()).new")
            }
        } catch {
            throw Problem("\(file.map { "the output \($0)" } ?? "standard output") cannot be written: \(error)")
        }
    }
}

extension TimeZone {
    /// The offset of the system's time at this moment. Foundation takes some forms of `TZ` for UTC, such as `:/etc/localtime`.
    static var ofSystem: TimeZone {
        var (now, parts) = (time(nil), tm())
        localtime_r(&now, &parts)
        return TimeZone(secondsFromGMT: parts.tm_gmtoff) ?? .current
    }
}
