import Foundation
import RetryReport
import TestSupport

@testable import RetriesCommand

/// A folder of a test's own in which the command runs, without a process.
final class CommandRun {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }
    var environment: [String: String] = [:]
    /// The working directory, in ``folder``.
    var subfolder: String?
    var isTerminal = false
    /// Shortly after the runs of the samples.
    var now = Sample.now
    var timeZone = "UTC"
    var standardInput: [UInt8] = []

    struct Outcome: Equatable {
        var code: Int32 = 0
        var output = ""
        var errors = ""

        /// Nothing but lines of the command's own on standard output, as a check writes them, and the folder that it read.
        static func says(_ lines: String..., code: Int32 = 0, read: String? = nil) -> Outcome {
            let errors = read.map { "retries: read \($0)\n" } ?? ""
            return Outcome(code: code, output: lines.map { "retries: \($0)\n" }.joined(), errors: errors)
        }

        /// Nothing but a line on standard error.
        static func refuses(_ reason: String) -> Outcome { Outcome(code: 2, errors: "retries: \(reason)\n") }
    }

    /// - Parameter report: Written to `r.json`.
    init(_ report: Report? = nil) throws {
        temporary = try TemporaryFolder()
        if let report { try write(report, to: "r.json") }
    }

    deinit {
        temporary.remove()
    }

    func callAsFunction(_ arguments: String...) -> Outcome {
        callAsFunction(arguments)
    }

    func callAsFunction(_ arguments: [String]) -> Outcome {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        let context = CommandContext(
            environment: environment,
            workingDirectory: subfolder.map { folder.appendingPathComponent($0).path } ?? folder.path,
            isTerminal: isTerminal,
            isErrorTerminal: false,
            now: { [now] in now },
            timeZone: TimeZone(identifier: timeZone) ?? .current,
            standardInput: { [standardInput] in standardInput },
            standardOutput: { output += $0 },
            standardError: { errors += $0 }
        )
        let ending = RetriesCommand.run(arguments: arguments, in: context)
        return Outcome(
            code: ending == .exitCode(0) ? 0 : ending == .exitCode(1) ? 1 : 2,
            output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self)
        )
    }

    func write(_ report: Report, to name: String) throws {
        try write(report.json(), to: name)
    }

    /// - Parameter date: The time of the last change. SwiftPM's files of the samples are as old as their run.
    func write(_ bytes: [UInt8], to name: String, at date: Date? = nil) throws {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        guard let date = date ?? (name.hasSuffix(".xml") ? Sample.now : nil) else { return }
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    }

    /// Writes texts to files of these names in a folder.
    func write(_ texts: [String: String], to folder: String) throws {
        for (name, text) in texts { try write(Array(text.utf8), to: "\(folder)/\(name)") }
    }

    func makeFolder(_ name: String) throws {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func link(_ name: String, to target: String) throws {
        let path = folder.appendingPathComponent(name).path
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    var names: [String] {
        get throws { try temporary.names }
    }
}
