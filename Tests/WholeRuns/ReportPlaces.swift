import Foundation
import RetryReport
import Retryable
import TestSupport
import Testing

/// Where the report goes, and what happens where it cannot.
@Suite("The report's place")
final class ReportPlaceTests: FolderTests {
    @Test("a folder that was asked for gets a file of the usual name")
    func inFolder() async throws {
        _ = try await run(FlakesOnce.self, environment: ["RETRYABLE_REPORT": folder.path])
        let report = try Report(contentsOf: folder.report)
        #expect(report.retries.count == 1)
    }

    @Test("a place that was asked for and cannot be written ends the run before any test")
    func notWritable() async throws {
        let place = try folder.makeFile("a file").appendingPathComponent("report.json").path
        let run = try await run(Passes.self, expecting: .exitCode(2), environment: ["RETRYABLE_REPORT": place])
        #expect(run.output.isEmpty)
        #expect(run.errorOutput.count == 1)
        #expect(run.errorOutput.first?.contains(place) == true)
    }

    @Test("a place is relative to where the process was started, though a test may go elsewhere")
    func otherWorkingDirectory() async throws {
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
        let file = folder.file("notes.json")
        try Data("{\"mine\": true}".utf8).write(to: file)
        let run = try await run(Passes.self, expecting: .exitCode(2), environment: ["RETRYABLE_REPORT": file.path])
        #expect(run.errorOutput.first?.contains(file.path) == true)
        #expect(try Data(contentsOf: file) == Data("{\"mine\": true}".utf8))
    }

    @Test("whatever stands under the report's own name is replaced, and no result depends on it")
    func replaced() async throws {
        try Data("{ not a report".utf8).write(to: folder.report)
        let run = try await run(FlakesOnce.self, environment: ["RETRYABLE_REPORT": folder.report.path])
        #expect(run.cases.last == "FlakesOnce.testFlakes passed")
        #expect(try Report(contentsOf: folder.report).retries.map(\.name) == ["-[FlakesOnce testFlakes]"])
    }

    @Test("nothing of an older run survives")
    func older() async throws {
        let environment = ["RETRYABLE_REPORT": folder.report.path]
        _ = try await run(FlakesOnce.self, environment: environment)
        #expect(try Report(contentsOf: folder.report).retries.count == 1)
        _ = try await run(Passes.self, environment: environment.merging(["RETRYABLE_RUN_ID": "the next"]) { $1 })
        #expect(try Report(contentsOf: folder.report).retries.isEmpty)
    }
}

// MARK: - Programs

final class FlakesElsewhere: RetryableTestCase, OneTest {
    func test() {
        XCTAssertTrue(FileManager.default.changeCurrentDirectoryPath(NSTemporaryDirectory()))
        flaky(.race) { XCTAssertGreaterThan(retryCount, 0, "too early") }
    }
}
