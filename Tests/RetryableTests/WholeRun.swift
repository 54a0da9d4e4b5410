import Foundation
import RetryReport
import Testing

/// One run of a scenario in a process of its own: what a person and a CI see of it.
struct WholeRun {
    /// The lines on standard output, times left out.
    var output: [String]
    /// The lines on standard error.
    var errorOutput: [String]
    var report: Report

    /// How each test case ended, in order: `Class.test passed`.
    var cases: [String] {
        output.compactMap { line in
            guard line.hasPrefix("Test Case '"), !line.hasSuffix(" started") else { return nil }
            return line.dropFirst("Test Case '".count).replacingOccurrences(of: "'", with: "")
        }
    }

    /// The failures that XCTest reported, in order: `Class.test : message`.
    var errors: [String] {
        output.compactMap { $0.range(of: ": error: ").map { [line = $0] in String(line[$0.upperBound...]) } }
    }

    /// What the tests themselves printed, in order.
    var printed: [String] {
        let ours = ["Test Suite '", "Test Case '", "\t Executed ", "/", "<EXPR>", "<unknown>"]
        return output.filter { line in !ours.contains { line.hasPrefix($0) } }
    }

    /// The suites as they start, in order.
    var suites: [String] {
        output.filter { $0.hasPrefix("Test Suite '") && $0.hasSuffix(" started") }
            .map { String($0.dropFirst("Test Suite '".count).dropLast("' started".count)) }
    }

    /// The reasons why tests were shown as skipped, in order.
    var skips: [String] {
        output.compactMap { line in
            line.range(of: " : Test skipped - ").map { String(line[$0.upperBound...]) }
        }
    }
}

/// How a run is expected to end.
enum Ending: Hashable {
    case exitCode(Int32)
    case signal(Int32)

    static let success = exitCode(0)
    static let failure = exitCode(1)
}

/// Runs a scenario in a process of its own, whose main thread is in no task, as that of `swift test` is in none.
func run(
    _ scenario: String,
    selected: String? = nil,
    expecting ending: Ending = .success,
    environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) async throws -> WholeRun {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let report = folder.url.appendingPathComponent("retryable-retries.json")

    let process = Process()
    process.executableURL = misbehave
    process.arguments = [scenario] + (selected.map { [$0] } ?? [])
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("RETRYABLE_") }
        .merging(["RETRYABLE_REPORT": report.path]) { $1 }
        .merging(environment) { $1 }
    let (output, errorOutput) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errorOutput
    try process.run()
    // Both are drained before it is waited for, so that no amount of output can block it.
    async let errorBytes = Task.detached { try errorOutput.fileHandleForReading.readToEnd() ?? Data() }.value
    let outputBytes = try output.fileHandleForReading.readToEnd() ?? Data()
    let run = WholeRun(
        output: lines(outputBytes).map(withoutTimes),
        errorOutput: lines(try await errorBytes),
        report: FileManager.default.fileExists(atPath: report.path) ? try Report(contentsOf: report) : Report()
    )
    process.waitUntilExit()
    let status = process.terminationStatus
    let ended: Ending = process.terminationReason == .exit ? .exitCode(status) : .signal(status)
    #expect(ended == ending, "\(run.errorOutput)", sourceLocation: sourceLocation)
    return run
}

/// The program beside this one that runs scenarios.
private let misbehave: URL = {
    let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return executable.deletingLastPathComponent().appendingPathComponent("misbehave")
}()

/// A folder of a test's own.
struct TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("retryable-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() {
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            Issue.record(error)
        }
    }
}

private func lines(_ bytes: Data) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}

/// The line with its date or its duration left out.
func withoutTimes(_ line: String) -> String {
    line.replacing(#/ at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/#, with: "")
        .replacing(#/ \([0-9.e-]+ seconds\)$/#, with: "")
        .replacing(#/ in [0-9.e-]+ \([0-9.e-]+\) seconds$/#, with: "")
}
