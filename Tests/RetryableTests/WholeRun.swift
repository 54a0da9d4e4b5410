import Foundation
import Misbehaving
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

/// Runs a scenario in a process of its own.
func run(
    _ scenario: String,
    selected: String? = nil,
    expecting condition: ExitTest.Condition = .success,
    environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) async throws -> WholeRun {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let report = folder.url.appendingPathComponent("retryable-retries.json")
    let environment = environment.merging(["RETRYABLE_REPORT": report.path]) { given, _ in given }
    let result = await #expect(
        processExitsWith: condition,
        observing: [\.standardOutputContent, \.standardErrorContent],
        sourceLocation: sourceLocation
    ) {
        [scenario = scenario as String, selected = selected as String?, environment = environment as [String: String]]
        in
        for (name, value) in environment { setenv(name, value, 1) }
        print(opening)
        FileHandle.standardError.write(Data("\(opening)\n".utf8))
        Scenario.run(scenario, selected: selected)
    }
    return WholeRun(
        output: lines(result?.standardOutputContent).map(withoutTimes),
        errorOutput: lines(result?.standardErrorContent),
        report: FileManager.default.fileExists(atPath: report.path) ? try Report(contentsOf: report) : Report()
    )
}

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

/// What the child says first; before it stands what the testing library says to itself.
private let opening = "The scenario begins."

private func lines(_ bytes: [UInt8]?) -> [String] {
    let lines = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    return Array(lines.drop { !$0.hasSuffix(opening) }.dropFirst())
}

/// The line with its date or its duration left out.
func withoutTimes(_ line: String) -> String {
    line.replacing(#/ at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/#, with: "")
        .replacing(#/ \([0-9.e-]+ seconds\)$/#, with: "")
        .replacing(#/ in [0-9.e-]+ \([0-9.e-]+\) seconds$/#, with: "")
}
