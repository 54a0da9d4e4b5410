import Dispatch
import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What beats a flake")
struct RealFailureTests: RowTable {
    static var rows: [Row] {
        Row("8: after a real failure nothing is suppressed", failures: [.recorded("outside"), .recorded("inside")])
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
                let failures = try #require(run.report.retries.first?.attempts.first?.failures)
                #expect(
                    failures.map(\.message) == ["failed - outside", "failed - inside"],
                    "the real failure comes first"
                )
                #expect(run.errorOutput.contains { $0.contains("failed, 1 attempt; failure: failed - outside") })
                #expect(run.errorOutput.contains { $0.contains("failed - inside") && $0.contains("not retried") })
            }
        Row(
            "8: in Swift Testing it is run again, because the failure may be filtered out; it has failed all the same",
            [.flakedAndFailed, .failed],
            failures: [.recorded("outside"), .recorded("inside"), .recorded("outside")]
        )
        .testing {
            flaky(.race) { _ = Issue.record("inside") }
            Issue.record("outside")
        } expecting: { run in
            let failures = try #require(run.report.retries.first?.attempts.first?.failures)
            #expect(failures.map(\.message) == ["Issue recorded: outside", "Issue recorded: inside"])
        }
        Row("8: so it is where an error ends it", [.failed], failures: [.thrown("Boom")])
            .xctest { test in
                test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
                if test.retryCount == 0 { throw Boom() }
            }
        Row(
            "8: and in Swift Testing, where an error ends each of them",
            [.flakedAndFailed, .failed],
            failures: [.thrown("Boom"), .recorded("inside"), .thrown("Boom")]
        )
        .testing {
            flaky(.race) { _ = Issue.record("inside") }
            throw Boom()
        }
        Row("8: what failed outside has not recovered", [.flakedAndFailed, .passed], failures: [.recorded("outside")])
            .testing {
                flaky(.race) { #expect(Test.retryCount > 0) }
                if Test.retryCount == 0 { Issue.record("outside") }
            }
        Row("8: nor has what threw outside", [.flakedAndFailed, .passed], failures: [.thrown("Boom")])
            .testing {
                flaky(.race) { #expect(Test.retryCount > 0) }
                if Test.retryCount == 0 { throw Boom() }
            }
        Row(
            "8: a flake stands, though what failed beside it is filtered out",
            [.flakedAndFailed, .failed],
            failures: [.recorded("inside")]
        )
        .testing("FilteredOut")
        Row("8: a retry that fails for real has failed", [.flaked, .failed], failures: [.recorded("outside")])
            .testing {
                flaky(.race) { #expect(Test.retryCount > 0) }
                if Test.retryCount > 0 { Issue.record("outside") }
            }
        Row("8: a task left behind fails its test", [.flakedAndFailed, .passed], failures: [.recorded("left behind")])
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
        Row("8: an error recorded where no retry is left is real", [.flaked, .failed], failures: [.thrown("Boom")])
            .testing { flaky(.race) { _ = Issue.record(Boom()) } }
        Row("8: an error in tearDown is real", [.failed], failures: [.thrown("Other")])
            .xctest { test in
                try test.flaky(.race) { if test.retryCount == 0 { throw Boom() } }
            } tearDown: { test in
                if test.retryCount == 0 { throw Other() }
            }
        Row("8: an error in a teardown block is real", [.failed], failures: [.thrown("Other")])
            .xctest { test in
                let isFirst = test.retryCount == 0
                test.addTeardownBlock { if isFirst { throw Other() } }
                try test.flaky(.race) { if isFirst { throw Boom() } }
            }
        Row("8: an assertion in tearDown is real", [.failed], failures: [.recorded("in tearDown")])
            .xctest { test in
                try test.flaky(.race) { if test.retryCount == 0 { throw Boom() } }
            } tearDown: { test in
                if test.retryCount == 0 { XCTFail("in tearDown") }
            }
        Row("8: in tearDown, the same error as in setUp is real", [.failed], failures: [.thrown("Boom")])
            .xctest(setUp: { test in try test.flaky(.race) { if test.retryCount == 0 { throw Boom() } } }) { _ in
            } tearDown: { test in
                if test.retryCount == 0 { throw Boom() }
            }
        Row("8: a failure behind invokeTest is real", [.failed], failures: [.recorded("a leak")])
            .xctest(FailsBehindInvokeTest.self)
        Row("8: so is an error that an override keeps back", [.failed], failures: [.thrown("Boom")])
            .xctest(KeepsErrorsBack.self)
        Row("8: an error that an override keeps back is real where nothing flaked, too", failures: [.thrown("Boom")])
            .xctest(KeepsTheOnlyErrorBack.self)
    }

    private static let (retried, failed) = (Gate(), Gate())

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    @Test("a failure after the end of its test is no flake: XCTest stops the process, as it does for any test")
    func late() async throws {
        let run = try await run(Late.self, expecting: .signal(SIGILL))
        #expect(run.report.retries.isEmpty)
        #expect(run.errorOutput.contains { $0.contains("has already been stopped") })
    }

    @Test("a test that is listed twice and fails once has failed")
    func listedTwice() async throws {
        let run = try await run(FailsWhenFirst.self, expecting: .failure)
        #expect(run.report.retries.map(\.outcome) == [.failed])
        #expect(run.report.retries.map(\.attemptedRetries) == [1])
        #expect(run.report.retries.first?.attempts.count == 4)
    }

    @Test("what flaked in a suite that leaves out what was appended to it has failed")
    func halfSuite() async throws {
        let run = try await run(RunsHalf.self, expecting: .failure)
        #expect(run.report.retries.map(\.outcome) == [.failed])
        #expect(run.report.retries.map(\.attemptedRetries) == [0])
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
