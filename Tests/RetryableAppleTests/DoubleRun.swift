import Foundation
import RetryReport
import TestSupport
import Testing

/// One run of a scenario of the program that is built with the double of Apple's XCTest.
struct DoubleRun {
    var outcome: Outcome
    var report: Report

    /// How each test case ended, in order: `-[Class test] passed`.
    var cases: [String] { outcome.output.filter { $0.hasPrefix("-[") } }

    /// The issues that were left in the result, in order.
    var issues: [String] { lines(after: "  error at ") + lines(after: "  warning at ") }

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
    bundleFirst: Bool = false,
    environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> DoubleRun {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let report = folder.url.appendingPathComponent(ReportLocation.fileName)
    let outcome = try runProgram(
        [scenario] + (bundleFirst ? ["--bundle-first"] : []),
        environment: ["RETRYABLE_REPORT": report.path].merging(environment) { $1 }
    )
    #expect(outcome.exitCode == exitCode, "\(outcome)", sourceLocation: sourceLocation)
    return DoubleRun(
        outcome: outcome,
        report: FileManager.default.fileExists(atPath: report.path) ? try Report(contentsOf: report) : Report()
    )
}

/// Runs a scenario as a program of any name: the report goes beside it, if nothing else says where.
func runProgram(_ scenario: String, called name: String? = nil, environment: [String: String]) throws -> Outcome {
    try runProgram([scenario], called: name, environment: environment)
}

private func runProgram(_ arguments: [String], called name: String? = nil, environment: [String: String]) throws
    -> Outcome
{
    let program = try program.get()
    guard let name else { return try run(program, arguments, environment: environment) }
    return try run(
        URL(fileURLWithPath: "/bin/bash"),
        ["-c", "name=$1; shift; exec -a \"$name\" \"$0\" \"$@\"", program.path, name] + arguments,
        environment: environment
    )
}

/// The program, built once for all tests.
private let program = Result<URL, any Error> {
    let program = AppleCheckout.buildFolder.appendingPathComponent("program/run")
    let outcome = try typecheck(["--program", program.path])
    guard outcome.exitCode == 0 else { throw NotBuilt(outcome: outcome) }
    return program
}

private struct NotBuilt: Error, CustomStringConvertible {
    var outcome: Outcome
    var description: String { "the program of Fixtures/AppleXCTest does not build: \(outcome)" }
}

/// Runs the script that checks sources against the double.
func typecheck(_ arguments: [String], folder: URL = AppleCheckout.buildFolder) throws -> Outcome {
    try run(
        Checkout.root.appendingPathComponent(".ci/typecheck-apple"),
        arguments,
        environment: ["RETRYABLE_APPLE_BUILD": folder.path]
    )
}
