import Foundation
import RetryReport
import Retryable
import TestSupport
import Testing

/// Where the report goes, and what happens where it cannot.
@Suite("The report's place")
struct ReportPlaceTests {
    @Test("a folder that was asked for gets a file of the usual name")
    func folder() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        _ = try await run(FlakesOnce.self, environment: ["RETRYABLE_REPORT": folder.url.path])
        let report = try Report(contentsOf: folder.url.appendingPathComponent("retryable-retries.json"))
        #expect(report.retries.count == 1)
    }

    @Test("a place that was asked for and cannot be written ends the run before any test")
    func notWritable() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appendingPathComponent("a file")
        try Data().write(to: file)
        let place = file.appendingPathComponent("report.json").path
        let run = try await run(Passes.self, expecting: .exitCode(2), environment: ["RETRYABLE_REPORT": place])
        #expect(run.cases.isEmpty)
        #expect(run.output.isEmpty)
        #expect(run.errorOutput.count == 1)
        #expect(run.errorOutput.first?.contains(place) == true)
    }

    @Test("a place is relative to where the process was started, though a test may go elsewhere")
    func otherWorkingDirectory() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let child = try await ChildRun.of(
            Checkout.wholeRunProgram,
            ["FlakesElsewhere"],
            environment: ["RETRYABLE_REPORT": "relative.json"],
            in: folder.url
        )
        #expect(child.ending == .success, "\(child)")
        let report = try Report(contentsOf: folder.file("relative.json"))
        #expect(report.retries.map(\.outcome) == [.recovered])
        #expect(report.run?.finishedAt != nil)
    }

    @Test("a place that is not UTF-8 is not taken for another one")
    func placeOfOtherBytes() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let script = #"x=$(printf 'x\377'); mkdir "$x"; cd "$x"; exec "$0" Passes"#
        let child = try await ChildRun.of(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", script, Checkout.wholeRunProgram.path],
            environment: ["RETRYABLE_REPORT": "relative.json"],
            in: folder.url
        )
        #expect(child.ending == .exitCode(2))
        #expect(child.errorOutput.first?.hasSuffix("its path is not UTF-8. No test was run.") == true)
        #expect(try folder.names.count == 1)
    }

    @Test("somebody else's file at a place that was asked for is left alone")
    func foreignFile() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appendingPathComponent("notes.json")
        try Data("{\"mine\": true}".utf8).write(to: file)
        let run = try await run(Passes.self, expecting: .exitCode(2), environment: ["RETRYABLE_REPORT": file.path])
        #expect(run.errorOutput.first?.contains(file.path) == true)
        #expect(try Data(contentsOf: file) == Data("{\"mine\": true}".utf8))
    }

    @Test("whatever stands under the report's own name is replaced, and no result depends on it")
    func replaced() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appendingPathComponent("retryable-retries.json")
        try Data("{ not a report".utf8).write(to: file)
        let run = try await run(FlakesOnce.self, environment: ["RETRYABLE_REPORT": file.path])
        #expect(run.cases.last == "FlakesOnce.testFlakes passed")
        #expect(try Report(contentsOf: file).retries.map(\.name) == ["-[FlakesOnce testFlakes]"])
    }

    @Test("nothing of an older run survives")
    func older() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appendingPathComponent("retryable-retries.json")
        _ = try await run(FlakesOnce.self, environment: ["RETRYABLE_REPORT": file.path])
        #expect(try Report(contentsOf: file).retries.count == 1)
        _ = try await run(Passes.self, environment: ["RETRYABLE_REPORT": file.path, "RETRYABLE_RUN_ID": "the next"])
        #expect(try Report(contentsOf: file).retries.isEmpty)
    }
}

// MARK: - Programs

final class FlakesElsewhere: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("testFlakes", testFlakes)])] }

    func testFlakes() {
        XCTAssertTrue(FileManager.default.changeCurrentDirectoryPath(NSTemporaryDirectory()))
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0, "too early") }
    }
}
