import Foundation
import RetryReport
import Retryable
import TestSupport
import Testing

/// Where the report goes, and what happens where it cannot.
@Suite("The report's place")
final class ReportPlaceTests: FolderTests {
    @Test("RETRYABLE_REPORT may name a folder, in which the report has its usual name")
    func inFolder() async throws {
        _ = try await run(FlakesOnce.self, environment: ["RETRYABLE_REPORT": folder.path])
        let report = try Report(contentsOf: folder.report)
        #expect(report.tests.count == 1)
    }

    @Test("a RETRYABLE_REPORT that cannot be written ends the run before any test")
    func notWritable() async throws {
        let place = try folder.makeFile("a file").appendingPathComponent("report.json").path
        let run = try await run(Passes.self, expecting: .exitCode(2), environment: ["RETRYABLE_REPORT": place])
        #expect(run.output.isEmpty)
        #expect(run.errorOutput.count == 1)
        #expect(run.errorOutput.first?.contains(place) == true)
    }

    @Test("a relative RETRYABLE_REPORT starts from the process's first working directory, even if a test changes that")
    func otherWorkingDirectory() async throws {
        let child = try await ChildRun.of(
            Checkout.wholeRunProgram,
            ["FlakesElsewhere"],
            environment: ["RETRYABLE_REPORT": "relative.json"],
            in: folder.url
        )
        #expect(child.ending == .success, "\(child)")
        let report = try Report(contentsOf: folder.file("relative.json"))
        #expect(report.tests.map(\.outcome) == [.recovered])
        #expect(report.run?.finishedAt != nil)
    }

    @Test("a report's path that is not UTF-8 ends the run before any test, and nothing is written")
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

    @Test("a RETRYABLE_REPORT that names a file which is no report ends the run, and the file stays as it was")
    func foreignFile() async throws {
        let file = folder.file("notes.json")
        try Data("{\"mine\": true}".utf8).write(to: file)
        let run = try await run(Passes.self, expecting: .exitCode(2), environment: ["RETRYABLE_REPORT": file.path])
        #expect(run.errorOutput.first?.contains(file.path) == true)
        #expect(try Data(contentsOf: file) == Data("{\"mine\": true}".utf8))
    }

    @Test("a broken file with the report's usual name is replaced, and no result depends on it")
    func replaced() async throws {
        try Data("{ not a report".utf8).write(to: folder.report)
        let run = try await run(FlakesOnce.self, environment: ["RETRYABLE_REPORT": folder.report.path])
        #expect(run.cases.last == "FlakesOnce.testFlakes passed")
        #expect(try Report(contentsOf: folder.report).tests.map(\.name) == ["-[FlakesOnce testFlakes]"])
    }

    @Test("a process that adds to a report of tests in another folder of the repository names its files from there")
    func otherFolder() async throws {
        var other = Report(run: Report.Run(id: "7", startedAt: Date()))
        other.run?.origin.folder = "Packages/Other"
        try Data(other.json()).write(to: folder.report)
        let environment = ["RETRYABLE_REPORT": folder.report.path, "RETRYABLE_RUN_ID": "7"]
        _ = try await run(FlakesOnce.self, environment: environment)
        let report = try Report(contentsOf: folder.report)
        #expect(report.run?.origin.folder == "Packages/Other")
        let files = report.tests.map(\.file) + report.tests.flatMap { $0.attempts.flatMap(\.failures).map(\.file) }
        #expect(files.count == 2 && (report.marks?.count ?? 0) > 0)
        let all = files + (report.marks ?? []).map(\.file)
        #expect(all.allSatisfy { $0?.hasPrefix("../../Fixtures/WholeRunProgram/") == true }, "\(all)")
        #expect(all.allSatisfy { report.run?.origin.rooted($0 ?? "").hasPrefix("Fixtures/WholeRunProgram/") == true })
    }

    @Test("a file elsewhere in the repository has the way to it from the tests' folder")
    func fileElsewhere() async throws {
        let child = try await ChildRun.of(
            Checkout.wholeRunProgram,
            ["FlakesOnce"],
            environment: ["RETRYABLE_REPORT": folder.report.path],
            in: Checkout.root.appendingPathComponent("Sources/RetryCore")
        )
        #expect(child.ending == .success)
        let report = try Report(contentsOf: folder.report)
        #expect(report.run?.origin.folder == "Sources/RetryCore")
        let files = report.tests.map(\.file) + (report.marks ?? []).map(\.file)
        #expect(files.count == 2 && files.allSatisfy { $0?.hasPrefix("../../Fixtures/WholeRunProgram/") == true })
    }

    @Test(
        "a process that a test of a run started, and which is a run of its own, leaves the run's report as it is",
        arguments: ["", "SWT_EXIT_TEST_ID={}"]
    )
    func startedByTest(variable: String) async throws {
        // The system knows a script by its own name.
        let script = """
            #!/bin/sh
            "$1" FlakesOnce
            env $VARIABLE sh -c '"$1" FlakesElsewhere; exit $?' sh "$1"
            """
        let file = folder.file("swift-test")
        let write = #"printf %s "$0" >"$1"; chmod +x "$1"; "$1" "$2""#
        let child = try await ChildRun.of(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", write, script, file.path, Checkout.wholeRunProgram.path],
            environment: ["RETRYABLE_REPORT": folder.report.path, "VARIABLE": variable]
        )
        #expect(child.ending == .success, "\(child.errorOutput)")
        #expect(try Report(contentsOf: folder.report).tests.map(\.name) == ["-[FlakesOnce testFlakes]"])
        let line =
            "a test of the run that \(folder.report.path) belongs to started this process, so this process writes no"
        #expect(child.errorOutput.count { $0.contains(line) } == 1)
    }

    @Test("the process of an exit test leaves the report of its run as it is")
    func exitTest() async throws {
        await #expect(processExitsWith: .success) { try #require(RunIdentity.isOfExitTest) }
        #expect(!RunIdentity.isOfExitTest)
        let environment = ["RETRYABLE_REPORT": folder.report.path, "RETRYABLE_RUN_ID": "this"]
        _ = try await run(FlakesOnce.self, environment: environment)
        let inExitTest = environment.merging(["SWT_EXIT_TEST_ID": "{}"]) { $1 }
        _ = try await run(FlakesElsewhere.self, environment: inExitTest)
        #expect(try Report(contentsOf: folder.report).tests.map(\.name) == ["-[FlakesOnce testFlakes]"])
        _ = try await run(FlakesElsewhere.self, environment: environment.merging(["MY_EXIT_TEST_ID": "1"]) { $1 })
        #expect(try Report(contentsOf: folder.report).tests.count == 2)
    }

    @Test("the report has nothing of an older run")
    func older() async throws {
        let environment = ["RETRYABLE_REPORT": folder.report.path]
        _ = try await run(FlakesOnce.self, environment: environment)
        #expect(try Report(contentsOf: folder.report).tests.count == 1)
        _ = try await run(Passes.self, environment: environment.merging(["RETRYABLE_RUN_ID": "the next"]) { $1 })
        #expect(try Report(contentsOf: folder.report).tests.isEmpty)
    }
}

// MARK: - Programs

final class FlakesElsewhere: RetryableTestCase, OneTest {
    func test() {
        XCTAssertTrue(FileManager.default.changeCurrentDirectoryPath(NSTemporaryDirectory()))
        flaky(.race) { XCTAssertGreaterThan(retryCount, 0, "too early") }
    }
}
