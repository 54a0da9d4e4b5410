import Dispatch
import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What beats a flake")
struct RealFailureTests: RowTable {
    static var rows: [Row] {
        Row(
            "8: a failure in a section after a real failure is real",
            failures: [.recorded("outside"), .recorded("inside")]
        )
        .both { test in
            test.fail("outside")
            test.flaky(.race) { test.fail("inside") }
        }
        Row("8: an attempt that flaked and failed for real is not retried", [.failed], failures: [.recorded("outside")])
            .xctest { test in
                test.flaky(.race) { XCTFail("inside") }
                XCTFail("outside")
            } expecting: { run in
                #expect(run.skips.isEmpty, "a retry was announced that does not follow")
                let failures = try #require(run.report.tests.first?.attempts.first?.failures)
                #expect(
                    failures.map(\.message) == ["failed - outside", "failed - inside"],
                    "the real failure comes first"
                )
                #expect(run.errorOutput.contains { $0.contains("failed, 1 attempt; failure: failed - outside") })
                #expect(run.errorOutput.contains { $0.contains("failed - inside") && $0.contains("not retried") })
            }
        Row(
            "8: in Swift Testing, an attempt that flaked and failed for real is run again, and has failed all the same",
            [.flakedAndFailed, .failed],
            failures: [.recorded("outside"), .recorded("inside"), .recorded("outside")]
        )
        .testing {
            flaky(.race) { _ = Issue.record("inside") }
            Issue.record("outside")
        } expecting: { run in
            let failures = try #require(run.report.tests.first?.attempts.first?.failures)
            #expect(failures.map(\.message) == ["Issue recorded: outside", "Issue recorded: inside"])
        }
        Row(
            "8: an attempt that flaked and then threw outside of sections is not retried",
            [.failed],
            failures: [.thrown("Boom")]
        )
        .xctest { test in
            test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
            if test.retryCount == 0 { throw Boom() }
        }
        Row(
            "8: in Swift Testing, an attempt that flaked and then threw outside is run again, and has failed all the same",
            [.flakedAndFailed, .failed],
            failures: [.thrown("Boom"), .recorded("inside"), .thrown("Boom")]
        )
        .testing {
            flaky(.race) { _ = Issue.record("inside") }
            throw Boom()
        }
        Row(
            "8: in Swift Testing, a test that flaked and failed outside has not recovered when its retry passes",
            [.flakedAndFailed, .passed],
            failures: [.recorded("outside")]
        )
        .testing {
            flaky(.race) { #expect(Test.retryCount > 0) }
            if Test.retryCount == 0 { Issue.record("outside") }
        }
        Row(
            "8: in Swift Testing, a test that flaked and threw outside has not recovered when its retry passes",
            [.flakedAndFailed, .passed],
            failures: [.thrown("Boom")]
        )
        .testing {
            flaky(.race) { #expect(Test.retryCount > 0) }
            if Test.retryCount == 0 { throw Boom() }
        }
        Row(
            "8: a test whose real failure is filtered out is still retried for its flake",
            [.flakedAndFailed, .failed],
            failures: [.recorded("inside")]
        )
        .testing("FilteredOut")
        Row(
            "8: a retry that fails outside of sections has failed",
            [.flaked, .failed],
            failures: [.recorded("outside")]
        )
        .testing {
            flaky(.race) { #expect(Test.retryCount > 0) }
            if Test.retryCount > 0 { Issue.record("outside") }
        }
        Row(
            "8: a failure in a task that a section left running fails the test, even if its retry passes",
            [.flakedAndFailed, .passed],
            failures: [.recorded("left behind")]
        )
        .testing {
            flaky(.race) {
                guard Test.retryCount == 0 else { return }
                Task {
                    await retried.wait()
                    Issue.record("left behind")
                    failed.open()
                }
                Issue.record("inside")
            }
            guard Test.retryCount > 0 else { return }
            retried.open()
            await failed.wait()
        }
        Row(
            "8: an error that is recorded in a section without retries left is real",
            [.flaked, .failed],
            failures: [.thrown("Boom")]
        )
        .testing { flaky(.race) { _ = Issue.record(Boom()) } }
        Row("8: an error in tearDown after a flake is real", [.failed], failures: [.thrown("Other")])
            .xctest { test in
                try test.flaky(.race) { if test.retryCount == 0 { throw Boom() } }
            } tearDown: { test in
                if test.retryCount == 0 { throw Other() }
            }
        Row("8: an error in a teardown block after a flake is real", [.failed], failures: [.thrown("Other")])
            .xctest { test in
                let isFirst = test.retryCount == 0
                test.addTeardownBlock { if isFirst { throw Other() } }
                try test.flaky(.race) { if isFirst { throw Boom() } }
            }
        Row(
            "8: an assertion that fails in tearDown after a flake is real",
            [.failed],
            failures: [.recorded("in tearDown")]
        )
        .xctest { test in
            try test.flaky(.race) { if test.retryCount == 0 { throw Boom() } }
        } tearDown: { test in
            if test.retryCount == 0 { XCTFail("in tearDown") }
        }
        Row(
            "8: an error in tearDown is real, even if it reads like one that flaked in setUp",
            [.failed],
            failures: [.thrown("Boom")]
        )
        .xctest(setUp: { test in try test.flaky(.race) { if test.retryCount == 0 { throw Boom() } } }) { _ in
        } tearDown: { test in
            if test.retryCount == 0 { throw Boom() }
        }
        Row(
            "8: a failure that an override of invokeTest records after the test is real",
            [.failed],
            failures: [.recorded("a leak")]
        )
        .xctest(FailsBehindInvokeTest.self)
        Row(
            "8: an error after a flake is real, even if an override of recordFailure drops it",
            [.failed],
            failures: [.thrown("Boom")]
        )
        .xctest(KeepsErrorsBack.self)
        Row(
            "8: an error of a test that did not flake is real, even if an override of recordFailure drops it",
            failures: [.thrown("Boom")]
        )
        .xctest(KeepsTheOnlyErrorBack.self)
    }

    private static let (retried, failed) = (Gate(), Gate())

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    @Test("a failure in a section after the end of its test stops the process, as XCTest does for any test")
    func late() async throws {
        let run = try await run(Late.self, expecting: .signal(SIGILL))
        #expect(run.report.tests.isEmpty)
        #expect(run.errorOutput.contains { $0.contains("has already been stopped") })
    }

    @Test(
        "a failure of a thread counts for a retry whose report is being written",
        arguments: [[:], ["RETRYABLE_SUPERVISE": "1"]]
    )
    func whileReported(environment: [String: String]) async throws {
        let run = try await run(FailsWhileReported.self, expecting: .failure, environment: environment)
        #expect(run.cases == ["FailsWhileReported.test skipped", "FailsWhileReported.test failed"])
        #expect(run.report.tests.map(\.outcome) == [.failed])
    }

    @Test("a test that is listed twice and fails once has failed")
    func listedTwice() async throws {
        let run = try await run(FailsWhenFirst.self, expecting: .failure)
        #expect(run.report.tests.map(\.outcome) == [.failed])
        #expect(run.report.tests.map(\.attemptedRetries) == [1])
        #expect(run.report.tests.first?.attempts.count == 4)
    }

    @Test("a test that flaked in a suite which does not run its appended retries has failed")
    func halfSuite() async throws {
        let run = try await run(RunsHalf.self, expecting: .failure)
        #expect(run.report.tests.map(\.outcome) == [.failed])
        #expect(run.report.tests.map(\.attemptedRetries) == [0])
    }
}

// MARK: - Classes and suites of their own

final class FailsBehindInvokeTest: RetryableTestCase, OneTest {
    func test() throws {
        try flaky(.race) { if retryCount == 0 { throw Boom() } }
    }

    override func invokeTest() {
        super.invokeTest()
        if retryCount == 0 { XCTFail("a leak") }
    }
}

/// Passes on what an assertion tells, and no error.
class KeepsErrorsBack: RetryableTestCase, OneTest {
    func test() throws {
        flaky(.race) { XCTAssertGreaterThan(retryCount, 0, "inside") }
        if retryCount == 0 { throw Boom() }
    }

    override func recordFailure(
        withDescription description: String,
        inFile filePath: String,
        atLine lineNumber: Int,
        expected: Bool
    ) {
        guard expected else { return }
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
}

final class KeepsTheOnlyErrorBack: KeepsErrorsBack {
    override func test() throws { throw Boom() }
}

final class Late: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test1", test1), ("test2", test2)])] }

    nonisolated(unsafe) private static var fail: (() -> Void)?
    private static let ended = DispatchSemaphore(value: 0)

    func test1() {
        nonisolated(unsafe) let test = self
        let (opened, proceed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Self.fail = {
            proceed.signal()
            Self.ended.wait()
        }
        Thread.detachNewThread {
            test.flaky(.race) {
                opened.signal()
                proceed.wait()
                test.recordFailure(withDescription: "late", inFile: #filePath, atLine: #line, expected: true)
            }
            Self.ended.signal()
        }
        opened.wait()
    }

    func test2() { Self.fail?() }
}

/// A thread fails while the report of a retry waits for another process that writes it.
final class FailsWhileReported: RetryableTestCase, OneTest {
    func test() {
        flaky(.race) { XCTAssertGreaterThan(retryCount, 0) }
        if retryCount == 0 { return }
        let descriptor = ProgramRun.lockReport()
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.2)
            XCTFail("late")
        }
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.5)
            flock(descriptor, LOCK_UN)
        }
    }
}

final class FailsWhenFirst: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test", test), ("test", test)])] }

    nonisolated(unsafe) private static var count = 0

    func test() throws {
        Self.count += 1
        let number = Self.count
        // The retry of the one fails, that of the other passes.
        flaky(.race) { XCTAssertEqual(number, 4) }
    }
}

enum RunsHalf: Program {
    static var entries: [XCTestCaseEntry] { [] }

    static var suite: XCTestSuite? {
        let suite = HalfSuite(name: "Half")
        suite.addTest(NeverPasses(name: "testFails") { ($0 as? NeverPasses)?.testFails() })
        return suite
    }
}

/// Runs the first of its tests, and none that was appended to it.
final class HalfSuite: XCTestSuite {
    override func perform(_ run: XCTestRun) {
        run.start()
        if let first = tests.first {
            first.run()
            if let firstRun = first.testRun { (run as? XCTestSuiteRun)?.addTestRun(firstRun) }
        }
        run.stop()
    }
}

#if PROGRAM
    @Suite(.retryable) struct FilteredOut {
        @Test(.filterIssues { !$0.comments.contains("noise") }) func test() {
            flaky(.race) { _ = Issue.record("inside") }
            Issue.record("noise")
        }
    }
#endif
