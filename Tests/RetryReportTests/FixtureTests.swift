import Foundation
import TestSupport
import Testing

@testable import RetryReport

/// Every file in `Fixtures/Reports`.
@Suite("The fixtures")
struct FixtureTests {
    @Test(
        "the fixtures that are whole are read, and written again they say the same",
        arguments: try files(in: "Whole")
    )
    func whole(url: URL) throws {
        let report = try Report(contentsOf: url)
        #expect(try Report(json: report.json()) == report)
    }

    @Test("the fixtures of today are read to the last field, and written again they are the same bytes")
    func today() throws {
        let url = Self.folder.appendingPathComponent("Whole/today.json")
        #expect(try Report(contentsOf: url) == .full)
        #expect(try Report.full.json() == [UInt8](try Data(contentsOf: url)))
    }

    @Test("the fixtures of version 0.6.0 have their five keys, and nothing is made up")
    func bare() throws {
        let report = try Report(contentsOf: Self.folder.appendingPathComponent("Whole/0.6.0.json"))
        #expect(report.run == nil)
        #expect(report.tests.count == 2)
        let (name, reason) = ("-[SearchTests testFinds]", "the index \"warms up\"")
        var expected = TestRecord(name: name, module: nil, mark: .notFixable(reason: reason, maxRetryCount: 3))
        (expected.attemptedRetries, expected.outcome) = (3, nil)
        #expect(report.tests.last == expected)
    }

    @Test("the fixtures of a later version are read, and what is unknown in them is ignored")
    func newer() throws {
        let report = try Report(contentsOf: Self.folder.appendingPathComponent("Whole/newer.json"))
        #expect(report.run?.startedAt == Date(timeIntervalSince1970: 1_801_432_799.5))
        #expect(report.run?.settings == ["RETRYABLE_RETRY_DELAY": "0.5"])
        #expect(report.steps.map(\.duration) == [0.001])
        let attempt = try #require(report.tests.first?.attempts.first)
        #expect(attempt.outcome == .skipped)
        #expect(attempt.failures == [Failure(message: "m", file: nil, line: nil, kind: .error, isAftermath: true)])
    }

    @Test("the fixtures that are broken name the file, the key and the trouble", arguments: try files(in: "Broken"))
    func broken(url: URL) throws {
        let error = #expect(throws: ReportFileError.self) { try Report(contentsOf: url) }
        let trouble = try #require(
            Self.troubles[url.lastPathComponent],
            "say what is wrong with \(url.lastPathComponent)"
        )
        let description = try #require(error?.description)
        let expected = "the report \(url.path) cannot be read: \(trouble)"
        if trouble == Self.noJSON {
            // What follows is Foundation's, and not the same on all systems.
            #expect(description.hasPrefix(expected) && description != expected)
        } else {
            #expect(description == expected)
        }
    }

    @Test("the example in the documentation is a report, with the five keys and what the text says of it")
    func documented() throws {
        let page = Checkout.root.appendingPathComponent("Sources/Retryable/Retryable.docc/TheReport.md")
        let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```json\n")
        let json = try #require(blocks.dropFirst().first?.components(separatedBy: "\n```").first)
        let report = try Report(json: Array(json.utf8))
        let test = try #require(report.tests.first)
        #expect(report.tests.count == 1)
        #expect(report.run?.finishedAt != nil)
        #expect(test.name == "-[LoginTests testSignsIn]" && test.mark.reason == "the token arrives late")
        #expect(test.mark.maxRetryCount == 1 && test.attemptedRetries == 1)
        #expect(test.mark.isFixable && test.outcome == .recovered)
        #expect(test.attempts.map(\.outcome) == [.flaked, .passed])
        #expect(test.attempts.first?.failures.map(\.isAftermath) == [false])
    }

    private static let noJSON = "is not JSON: "
    private static let troubles = [
        "array.json": "is not an object",
        "attempt-time.json": "retries[1].attempts[0].startedAt is \"2026-02-30\", not a time such as "
            + "2026-03-01T09:30:00.250Z",
        "bare-newline.json": noJSON,
        "count-fraction.json": "retries[1].attemptedRetries is 1.5, not a whole number",
        "count-too-large.json": noJSON,
        "cut-off.json": noJSON,
        "deep.json": noJSON,
        "empty.json": noJSON,
        "failure-kind.json": "retries[1].attempts[1].failures[0].kind is \"odd\", not one of assertion, error",
        "fixable-word.json": "retries[1].fixable is not a boolean",
        "name-number.json": "retries[1].name is not a string",
        "no-reason.json": "retries[1].reason is missing",
        "no-retries.json": "retries is missing",
        "not-json.json": noJSON,
        "outcome-unknown.json": "retries[1].outcome is \"perhaps\", not one of recovered, failed, pending",
        "retries-object.json": "retries is not an array",
        "run-without-id.json": "run.id is missing",
        "step.json": "steps[0].succeeded is missing",
        "two-texts.json": noJSON,
    ]

    private static let folder = Checkout.root.appendingPathComponent("Fixtures/Reports")

    private static func files(in name: String) throws -> [URL] {
        let folder = folder.appendingPathComponent(name)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .map(folder.appendingPathComponent)
    }
}
