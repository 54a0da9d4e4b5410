import Foundation
import RetryReport
import TestSupport
import Testing

/// One run of a scenario of the program that is built with the double of Apple's XCTest.
struct DoubleRun {
    var outcome: ChildRun
    var report: Report

    /// How each test case ended, in order: `-[Class test] passed`.
    var cases: [String] { outcome.output.filter { $0.hasPrefix("-[") } }

    /// The issues that were left in the result, in order.
    var issues: [String] { lines(after: "  error at ") + lines(after: "  warning at ") }

    /// Failures that Xcode does not show, because something under the same name was expected to fail.
    var dropped: [String] { lines(after: "  dropped ") }

    /// What is attached to issues.
    var attachedToIssues: [String] { lines(after: "  attached to it: ") }

    /// The failures that were shown as expected, in order.
    var expectedFailures: [String] { lines(after: "  expected failure of ") }

    var activities: [String] { lines(after: "  activity of ") }

    var attachments: [String] { lines(after: "  attachment ") }

    /// What suites do, and what the tests themselves say.
    var rest: [String] { outcome.output.filter { !$0.hasPrefix("-[") && !$0.hasPrefix("  ") } }

    private func lines(after prefix: String) -> [String] {
        outcome.output.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }
}

/// Runs a scenario in a process of its own.
func run(
    _ scenario: String,
    expecting exitCode: Int32 = 0,
    options: [String] = [],
    environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) async throws -> DoubleRun {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let outcome = try await ChildRun.of(
        try await program.value,
        [scenario] + options,
        environment: ["RETRYABLE_REPORT": folder.report.path].merging(environment) { $1 }
    )
    #expect(outcome.ending == .exitCode(exitCode), "\(outcome)", sourceLocation: sourceLocation)
    let hasReport = FileManager.default.fileExists(atPath: folder.report.path)
    return DoubleRun(outcome: outcome, report: hasReport ? try Report(contentsOf: folder.report) : Report())
}

/// Runs a scenario as a program of any name: the report goes beside it, if nothing else says where.
func runProgram(_ scenario: String, called name: String? = nil, environment: [String: String]) async throws -> ChildRun
{
    let program = try await program.value
    guard let name else { return try await ChildRun.of(program, [scenario], environment: environment) }
    return try await ChildRun.of(
        URL(fileURLWithPath: "/bin/bash"),
        ["-c", "exec -a \"$1\" \"$0\" \"$2\"", program.path, name, scenario],
        environment: environment
    )
}

/// The program; it is built if a source of it has changed since it was built last.
private let program = Task {
    let build = try await ChildRun.of(Checkout.root.appendingPathComponent(".ci/apple-double"))
    guard build.ending == .success, let path = build.output.last else { throw NotBuilt(build: build) }
    return URL(fileURLWithPath: path, relativeTo: Checkout.root).absoluteURL
}

private struct NotBuilt: Error, CustomStringConvertible {
    var build: ChildRun
    var description: String { "the program of Fixtures/AppleXCTest does not build: \(build)" }
}
