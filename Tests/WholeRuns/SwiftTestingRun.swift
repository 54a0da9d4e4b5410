import Foundation
import RetryReport
import TestSupport

/// One run of tests that go wrong, in a process of its own: what a person, a tool and a CI see of it.
struct SwiftTestingRun {
    var ending: ChildRun.Ending
    /// What the tests printed, and what Swift Testing printed around it.
    var output: [String]
    /// The lines of ours on standard error.
    var ourLines: [String]
    /// The issues, in the order in which they were recorded.
    var issues: [RecordedIssue]
    var report: Report

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
            [
                "--filter", "^WholeRunProgram\\.\(tests)\\b",
                "--event-stream-output-path", events.path, "--event-stream-version", "0",
            ] + arguments,
            environment: ["RETRYABLE_REPORT": folder.report.path].merging(environment) { _, given in given }
        )
        return SwiftTestingRun(
            ending: result.ending,
            output: result.output,
            ourLines: result.errorOutput.filter { $0.hasPrefix("Retryable: ") },
            issues: try RecordedIssue.all(in: Data(contentsOf: events)),
            report: try folder.names.contains(folder.report.lastPathComponent)
                ? Report(contentsOf: folder.report) : Report()
        )
    }
}

/// An issue as Swift Testing tells tools of it.
struct RecordedIssue {
    var isKnown: Bool
    /// What failed, then the comments.
    var lines: [String]
    var file: String
    var line: Int

    static func all(in events: Data) throws -> [RecordedIssue] {
        try events.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let payload = try JSONDecoder().decode(Event.self, from: line).payload
            guard let issue = payload.issue else { return nil }
            return RecordedIssue(
                isKnown: issue.isKnown,
                lines: payload.messages?.compactMap { $0["text"] } ?? [],
                file: issue.sourceLocation?.fileID ?? "",
                line: issue.sourceLocation?.line ?? 0
            )
        }
    }

    private struct Event: Decodable {
        var payload: Payload

        struct Payload: Decodable {
            var issue: Issue?
            var messages: [[String: String]]?
        }

        struct Issue: Decodable {
            var isKnown: Bool
            var sourceLocation: Location?
        }

        struct Location: Decodable {
            var fileID: String
            var line: Int
        }
    }
}
