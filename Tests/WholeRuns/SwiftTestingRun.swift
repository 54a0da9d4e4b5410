import Foundation
import RetryReport
import TestSupport

/// One run of tests that go wrong, in a process of its own: what a person, a tool and a CI see of it.
struct SwiftTestingRun {
    var ending: ChildRun.Ending
    /// The lines on standard output.
    var output: [String]
    /// The lines on standard error.
    var errorOutput: [String]
    /// The issues but for warnings, in the order in which they were recorded.
    var issues: [RecordedIssue]
    /// The names of the tests and suites that have ended, in order.
    var ended: [String]
    var report: Report

    /// The lines of ours on standard error.
    var ourLines: [String] { errorOutput.filter { $0.hasPrefix("Retryable: ") } }

    /// The reasons of the flakes, in order.
    var reasons: [String] {
        issues.filter(\.isKnown).map { $0.lines.last ?? "none" }
    }

    /// The failures, in order.
    var failures: [String] { issues.filter { !$0.isKnown }.map { $0.lines.joined(separator: ": ") } }

    /// What the tests printed, in order.
    var printed: [String] {
        output.filter { line in !["◇", "✔", "✘", "━", "↳", "➜", "⚠"].contains { line.hasPrefix($0) } }
    }

    /// Runs the tests whose names begin so: `Suite`, `Suite/test`.
    static func of(
        _ tests: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> SwiftTestingRun {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let events = try folder.makeFile("events")
        let result = try await ChildRun.of(
            Checkout.wholeRunProgram,
            // No version is asked for, because with version 0 there are no warnings in the run.
            ["--filter", "^WholeRunProgram\\.\(tests)\\b", "--event-stream-output-path", events.path] + arguments,
            environment: ["RETRYABLE_REPORT": folder.report.path].merging(environment) { _, given in given }
        )
        return SwiftTestingRun(
            ending: result.ending,
            output: result.output,
            errorOutput: result.errorOutput,
            issues: try RecordedIssue.all(in: Data(contentsOf: events)),
            ended: try RecordedIssue.endedTests(in: Data(contentsOf: events)),
            report: try folder.names.contains(folder.report.lastPathComponent)
                ? Report(contentsOf: folder.report) : Report()
        )
    }
}

extension SwiftTestingRun {
    /// Whether Swift Testing's version is 6.4 or later, whichever release the compiler has: it may have been built from its sources.
    static func isSince6_4() async throws -> Bool {
        let lines = try await of("Instances").errorOutput.joined(separator: "\n")
        guard let version = lines.firstMatch(of: /Testing Library Version: (\d+)\.(\d+)/) else { return false }
        return (Int(version.1) ?? 0, Int(version.2) ?? 0) >= (6, 4)
    }
}

/// An issue as Swift Testing tells tools of it.
struct RecordedIssue {
    var isKnown: Bool
    /// What failed, then the comments. Without values, which since 6.4 are in lines of their own after the comments.
    var lines: [String]
    var file: String
    var line: Int

    static func all(in events: Data) throws -> [RecordedIssue] {
        try events.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let payload = try JSONDecoder().decode(Event.self, from: line).payload
            guard let issue = payload.issue, issue.severity != "warning" else { return nil }
            return RecordedIssue(
                isKnown: issue.isKnown,
                lines: payload.lines,
                file: issue.sourceLocation?.fileID ?? "",
                line: issue.sourceLocation?.line ?? 0
            )
        }
    }

    /// The names of the tests and suites that have ended, such as `Suite/test()`.
    static func endedTests(in events: Data) throws -> [String] {
        try events.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let payload = try JSONDecoder().decode(Event.self, from: line).payload
            guard payload.kind == "testEnded", let test = payload.testID else { return nil }
            let parts = test.split(separator: ".", maxSplits: 1).last?.split(separator: "/") ?? []
            return parts.filter { !$0.contains(".swift:") }.joined(separator: "/")
        }
    }

    private struct Event: Decodable {
        var payload: Payload

        struct Payload: Decodable {
            var kind: String?
            var testID: String?
            var issue: Issue?
            var messages: [Message]?

            var lines: [String] {
                let lines = messages?.map(\.text) ?? []
                guard let what = lines.first, what.hasPrefix("Expectation failed") else { return lines }
                return [what.replacing(" → nil", with: "")] + lines.dropFirst().filter { !$0.contains(" → ") }
            }
        }

        struct Message: Decodable {
            var text: String
        }

        struct Issue: Decodable {
            var isKnown: Bool
            var severity: String?
            var sourceLocation: Location?
        }

        struct Location: Decodable {
            var fileID: String
            var line: Int
        }
    }
}
