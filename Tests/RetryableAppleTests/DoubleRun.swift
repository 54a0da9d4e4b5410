import Foundation
import RetryReport
import TestSupport
import Testing

/// One run of classes of the program that is built with the double of Apple's XCTest.
struct DoubleRun {
    var outcome: ChildRun
    var report: Report

    /// Apple's own XCTest is out of reach, so that the double has to stand in for it.
    static var isNeeded: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

    /// How each test case ended, in order: `-[Class test] passed`.
    var cases: [String] { outcome.output.filter { $0.hasPrefix("-[") } }

    /// The issues that were left in the result, in order.
    var issues: [String] { lines(after: "  error at ") + lines(after: "  warning at ") }

    /// Failures that Xcode does not show, because something under the same name was expected to fail.
    var dropped: [String] { lines(after: "  dropped ") }

    var attachedToIssues: [String] { lines(after: "  attached to it: ") }
    var expectedFailures: [String] { lines(after: "  expected failure of ") }
    var activities: [String] { lines(after: "  activity of ") }
    var attachments: [String] { lines(after: "  attachment ") }

    /// What suites do, and what the tests themselves say.
    var rest: [String] { outcome.output.filter { !$0.hasPrefix("-[") && !$0.hasPrefix("  ") } }

    /// What the tests themselves say, and the totals.
    var said: [String] { rest.filter { !$0.hasPrefix("suite") } }

    var outcomes: [TestRecord.Outcome?] { report.tests.map(\.outcome) }

    private func lines(after prefix: String) -> [String] {
        outcome.output.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }
}

/// Runs classes in a process of its own.
func run(
    _ classes: String...,
    expecting exitCode: Int32 = 0,
    options: [String] = [],
    environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) async throws -> DoubleRun {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let settings = ["RETRYABLE_REPORT": folder.report.path].merging(environment) { $1 }
    let outcome = try await ChildRun.of(try await program.value, classes + options, environment: settings)
    #expect(outcome.ending == .exitCode(exitCode), "\(outcome)", sourceLocation: sourceLocation)
    let hasReport = FileManager.default.fileExists(atPath: folder.report.path)
    return DoubleRun(outcome: outcome, report: hasReport ? try Report(contentsOf: folder.report) : Report())
}

/// Runs a class in a program of any name: the report goes beside it, if nothing else says where.
func run(
    _ testClass: String,
    called name: String,
    expecting exitCode: Int32 = 0,
    environment: [String: String]
) async throws -> ChildRun {
    let script = "exec -a \"$1\" \"$0\" \"$2\""
    let outcome = try await ChildRun.of(
        URL(fileURLWithPath: "/bin/bash"),
        ["-c", script, try await program.value.path, name, testClass],
        environment: environment
    )
    #expect(outcome.ending == .exitCode(exitCode), "\(outcome)")
    return outcome
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
