import Foundation
import RetryReport
import Retryable
import TestSupport
import Testing

/// Rule 12: what is not concluded has not passed.
@Suite("A run that does not end properly is never green")
struct ExitTests: RowTable {
    static var rows: [Row] {
        Row("a process that a test forks may exit with any code")
            .xctest { _ in
                let child = fork()
                if child == 0 { exit(0) }
                var status: Int32 = 0
                waitpid(child, &status, 0)
                XCTAssertEqual(status, 0)
            } expecting: { run in
                #expect(run.errorOutput.isEmpty)
            }
    }

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    @Test("a test that calls exit(0) fails the run, and lines name that test and those that wait for a retry")
    func inTest() async throws {
        let run = try await run(Exits.self, expecting: .failure)
        #expect(run.cases == ["Exits.test1 skipped"])
        #expect(
            run.errorOutput.last == "Retryable: the process exits while tests run: Exits.test2 began and did not end"
        )
        let pending = "Retryable: -[Exits test1] flaked on attempt 1 of 2, and its process ended before a retry did; "
        #expect(run.errorOutput.contains { $0.hasPrefix(pending) })
        #expect(run.report.tests.map(\.outcome) == [.pending])
        #expect(!run.printed.contains("reached"))
    }

    @Test(
        "a call of exit fails the run, whatever the code, in class fixtures, tasks, threads and retries",
        arguments: [
            (Dies.self, ["exit3", "outside"], "Dying.test2", []),
            (Dies.self, ["exit0", "in class setUp"], "Dying", []),
            (Dies.self, ["exit0", "in class tearDown"], "Dying", []),
            (ExitsInTask.self, [], "ExitsInTask.test", []),
            (ExitsOnThread.self, [], "ExitsOnThread.test", []),
            (ExitsOnThread.self, ["many"], "ExitsOnThread.test", []),
            (ExitsOnThread.self, ["beside reader"], "ExitsOnThread.test", []),
            (ExitsOnRetry.self, [], "ExitsOnRetry.test", [.pending]),
            (ExitsWhenSetUpAgain.self, [], "ExitsWhenSetUpAgain", [.pending]),
        ] as [(any Program.Type, [String], String, [TestRecord.Outcome])]
    )
    func elsewhere(
        program: any Program.Type,
        arguments: [String],
        name: String,
        outcomes: [TestRecord.Outcome]
    ) async throws {
        let run = try await run(program, with: arguments, expecting: .failure)
        let line = "Retryable: the process exits while tests run: \(name) began and did not end"
        #expect(run.errorOutput.contains(line))
        #expect(run.report.run?.unfinished == 1 && run.report.run?.finishedAt == nil)
        #expect(run.report.tests.map(\.outcome) == outcomes)
    }

    @Test(
        "an observer that exits at the bundle's end leaves a complete report and a summary",
        arguments: ["0", "1"],
        [[:], ["RETRYABLE_SUPERVISE": "1"]]
    )
    func atBundleEnd(code: String, environment: [String: String]) async throws {
        let ending: ChildRun.Ending = code == "0" ? .success : .failure
        let run = try await run(ExitsAtBundleEnd.self, with: [code], expecting: ending, environment: environment)
        #expect(run.report.run?.finishedAt != nil && run.report.tests.map(\.outcome) == [.recovered])
        #expect(run.errorOutput.count { $0 == "Retryable: 1 flaky" } == 1, "\(run.errorOutput)")
    }

    @Test(
        "a thread that exits while the report is completed waits for that",
        arguments: [[:], ["RETRYABLE_SUPERVISE": "1"]]
    )
    func whileReported(environment: [String: String]) async throws {
        let run = try await run(ExitsWhileReported.self, expecting: .success, environment: environment)
        #expect(run.report.run?.finishedAt != nil)
    }

    @Test("a thread that exits with 0 while a run that has failed ends does not make it green")
    func asRunEnds() async throws {
        let run = try await run(ExitsAsRunEnds.self, expecting: .failure)
        #expect(run.errorOutput.isEmpty && run.report.run?.finishedAt != nil, "\(run.errorOutput)")
    }

    @Test(
        "a thread that exits while a run ends, and that an observer or an exit handler waits for, ends it after some seconds",
        arguments: ["observer", "handler", "many"],
        [0, 1]
    )
    func asRunHangs(place: String, failures: Int) async throws {
        let ending: ChildRun.Ending = failures == 0 ? .success : .failure
        let run = try await run(ExitsAsRunHangs.self, with: [place, "\(failures)"], expecting: ending)
        #expect(run.report.run?.finishedAt != nil)
    }

    @Test("a program whose main goes on in a task ends the run there")
    func inTask() async throws {
        _ = try await run(ExitsInTaskAsRunEnds.self, expecting: .success)
    }

    @Test("a test that still waits for its retry when the outermost suite ends has failed")
    func neverConcluded() async throws {
        let run = try await run(NeverConcluded.self, expecting: .failure)
        #expect(
            run.errorOutput.first
                == "Retryable: -[NeverConcluded test] flaked, and the run ends without a retry of it: it has failed"
        )
        #expect(run.report.tests.map(\.outcome) == [.failed])
    }
}

// MARK: - Programs

final class Exits: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test1", test1), ("test2", test2), ("test3", test3)])] }

    func test1() {
        flaky(.race) { XCTAssertGreaterThan(retryCount, 0) }
    }

    func test2() { exit(0) }

    func test3() { print("reached") }
}

/// Another observer than Retryable's ends the process. It is one of many, as XCTest tells them in any order.
final class ExitsAtBundleEnd: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] {
        for _ in 0..<20 { XCTestObservationCenter.shared.addTestObserver(Exiting()) }
        return [testCase([("test", test)])]
    }

    func test() {
        flaky(.race) { XCTAssertGreaterThan(retryCount, 0) }
    }

    private final class Exiting: NSObject, XCTestObservation {
        func testBundleDidFinish(_ bundle: Bundle) { exit(ProgramRun.arguments.last == "1" ? 1 : 0) }
    }
}

final class ExitsWhileReported: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] {
        XCTestObservationCenter.shared.addTestObserver(Exiting())
        return [testCase([("test", test)])]
    }

    func test() {}

    private final class Exiting: NSObject, XCTestObservation {
        func testSuiteDidFinish(_ suite: XCTestSuite) {
            guard suite.name == "All tests" else { return }
            let descriptor = ProgramRun.lockReport()
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 0.2)
                exit(0)
            }
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 0.5)
                flock(descriptor, LOCK_UN)
            }
        }
    }
}

final class ExitsAsRunEnds: RetryableTestCase, OneTest {
    func test() {
        XCTFail("real")
        exitOnThreadAsRunEnds()
    }
}

final class ExitsInTaskAsRunEnds: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] {
        XCTestObservationCenter.shared.addTestObserver(Exiting())
        return [testCase([("test", test)])]
    }

    func test() {}

    private final class Exiting: NSObject, XCTestObservation {
        func testBundleDidFinish(_ bundle: Bundle) {
            let exits = DispatchSemaphore(value: 0)
            Task.detached {
                exits.signal()
                exit(0)
            }
            exits.wait()
            sleep(1)
            exit(3)
        }
    }
}

/// Has a thread call `exit(0)` while the run's own call has begun, and waits for this handler.
func exitOnThreadAsRunEnds() {
    atexit {
        Thread.detachNewThread { exit(0) }
        usleep(300_000)
    }
}

final class ExitsAsRunHangs: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] {
        XCTestObservationCenter.shared.addTestObserver(Hanging())
        if ProgramRun.arguments.first == "handler" { atexit { sleep(600) } }  // runs after Retryable's
        return [testCase([("test", test)])]
    }

    func test() { XCTAssertEqual(ProgramRun.arguments.last, "0") }

    private final class Hanging: NSObject, XCTestObservation {
        func testBundleDidFinish(_ bundle: Bundle) {
            for _ in 0..<(ProgramRun.arguments.first == "many" ? 10 : 1) {
                Thread.detachNewThread { exit(0) }
                usleep(50_000)
            }
            if ProgramRun.arguments.first == "observer" { sleep(600) }
        }
    }
}

final class ExitsOnRetry: RetryableTestCase, OneTest {
    func test() {
        flaky(.race) {
            if retryCount > 0 { exit(0) }
            XCTFail("the flake")
        }
    }
}

final class ExitsWhenSetUpAgain: RetryableTestCase, OneTest {
    nonisolated(unsafe) private static var isAgain = false

    override class func setUp() {
        if isAgain { exit(0) }
        isAgain = true
    }

    func test() {
        flaky(.race) { XCTAssertGreaterThan(retryCount, 0) }
    }
}

final class ExitsInTask: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test", asyncTest(test))])] }

    func test() async {
        await Task.yield()
        exit(0)
    }
}

final class ExitsOnThread: RetryableTestCase, OneTest {
    func test() {
        if ProgramRun.arguments == ["beside reader"] {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            dup2(ends[0], STDIN_FILENO)
            Thread.detachNewThread { _ = readLine() }
        }
        let start = Date(timeIntervalSinceNow: 0.05)
        for _ in 0..<(ProgramRun.arguments == ["many"] ? 4 : 1) {
            Thread.detachNewThread {
                while start.timeIntervalSinceNow > 0 {}
                exit(0)
            }
        }
        while true { pause() }
    }
}

/// Is performed by means of its own, and its run is never stopped.
final class NeverConcluded: RetryableTestCase, OneTest {
    func test() throws {
        try flaky(.race) { throw Boom() }
    }

    override func perform(_ run: XCTestRun) {
        run.start()
        invokeTest()
    }
}
