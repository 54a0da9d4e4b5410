import Foundation
import RetryReport
import TestSupport
import Testing

/// One run of a scenario in a process of its own: what a person and a CI see of it.
struct ScenarioRun {
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

/// Runs a scenario in a process of its own, whose main thread is in no task, as that of `swift test` is in none.
func run(
    _ scenario: String,
    selected: String? = nil,
    expecting ending: ChildRun.Ending = .success,
    environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) async throws -> ScenarioRun {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let report = folder.report
    let child = try await ChildRun.of(
        Checkout.program("XCTestScenarios"),
        [scenario] + (selected.map { [$0] } ?? []),
        environment: ["RETRYABLE_REPORT": report.path].merging(environment) { $1 }
    )
    #expect(child.ending == ending, "\(child.errorOutput)", sourceLocation: sourceLocation)
    return ScenarioRun(
        output: child.output.map(withoutTimes),
        errorOutput: child.errorOutput,
        report: FileManager.default.fileExists(atPath: report.path) ? try Report(contentsOf: report) : Report()
    )
}

/// The line with its date or its duration left out.
func withoutTimes(_ line: String) -> String {
    line.replacing(#/ at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/#, with: "")
        .replacing(#/ \([0-9.e-]+ seconds\)$/#, with: "")
        .replacing(#/ in [0-9.e-]+ \([0-9.e-]+\) seconds$/#, with: "")
}
