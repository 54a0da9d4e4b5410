import Foundation
import RetryReport
import TestSupport
import Testing

/// One run of a program with XCTest, in a process of its own: what a person and a CI see of it.
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

    /// The reasons of the flakes, an attempt each, in order; a flake in `setUp` shows on standard error.
    var reasons: [String] {
        (skips + errorOutput).compactMap { line in
            line.firstMatch(of: #/reason: (.*) \((?:not )?fixable\); retry \d+ of/#).map { String($0.1) }
        }
    }

    /// The reasons why tests were shown as skipped, in order.
    var skips: [String] {
        output.compactMap { line in
            line.range(of: " : Test skipped - ").map { String(line[$0.upperBound...]) }
        }
    }
}

/// Runs a program with XCTest, in a process whose main thread is in no task, as that of `swift test` is in none. Where its
/// tests run in a child of that process, nothing of it may be left running.
func run(
    _ program: any Program.Type,
    with arguments: [String] = [],
    selected: String? = nil,
    expecting ending: ChildRun.Ending = .success,
    environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) async throws -> WholeRun {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let report = folder.report
    let mark = UUID().uuidString
    let child = try await ChildRun.of(
        Checkout.wholeRunProgram,
        ["\(program)", selected.map { "WholeRunProgram.\($0)" } ?? ""] + arguments,
        environment: ["RETRYABLE_REPORT": report.path, "MARK": mark].merging(environment) { $1 }
    )
    #expect(child.ending == ending, "\(child.errorOutput)", sourceLocation: sourceLocation)
    if environment["RETRYABLE_SUPERVISE"] != nil || environment["RETRYABLE_TIME_LIMIT"] != nil {
        #expect(try await processes(with: mark, becoming: 0) == 0, sourceLocation: sourceLocation)
    }
    return WholeRun(
        output: withoutTimes(child.outputBytes),
        errorOutput: withoutTimes(child.errorBytes),
        report: FileManager.default.fileExists(atPath: report.path) ? try Report(contentsOf: report) : Report()
    )
}

extension Checkout {
    static var wholeRunProgram: URL { program("WholeRunProgram") }
}

/// The lines of an output that are not empty, without dates, durations, and what the machine was doing.
func withoutTimes(_ output: Data) -> [String] {
    let busy = #" while (?:the tests of its process|others used the machine|its thread pool)[^:\n]*"#
    let date = #" at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$"#
    let duration = #" \([0-9.e-]+ seconds\)$| in [0-9.e-]+ \([0-9.e-]+\) seconds$"#
    // One expression for all lines, because making one is slow.
    return String(decoding: output, as: UTF8.self)
        .replacingOccurrences(of: "(?m)\(busy)|\(date)|\(duration)", with: "", options: .regularExpression)
        .split(separator: "\n").map(String.init)
}
