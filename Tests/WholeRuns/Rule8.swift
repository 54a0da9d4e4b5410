import Dispatch
import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What beats a flake")
struct RealFailureTests {
    @Test(arguments: [
        Row(
            "8: after a real failure nothing is suppressed, because no retry follows",
            RealThenFlake.self,
            "RealFailures/beforeFlake",
            errors: ["failed - outside", "failed - inside"],
            issues: ["Issue recorded: outside", "Issue recorded: inside"]
        ),
        Row(
            "8: an attempt that flaked and then failed for real has failed, and is not retried",
            FlakeThenReal.self,
            errors: ["failed - outside"],
            [.failed]
        ),
        Row(
            "8: in Swift Testing it is run again, because the failure may be filtered out; it has failed all the same",
            nil,
            "RealFailures/afterFlake",
            flakes: ["a race (fixable)"],
            issues: ["Issue recorded: outside", "Issue recorded: inside", "Issue recorded: outside"],
            [.failed, .failed]
        ),
        Row(
            "8: so it is where an error ends it",
            FlakeThenErrorOutside.self,
            errors: ["threw error \"Boom\""],
            [.failed]
        ),
        Row(
            "8: and in Swift Testing, where an error ends each of them",
            nil,
            "RealFailures/thrownAfterFlake",
            flakes: ["a race (fixable)"],
            issues: ["Caught error: Boom", "Issue recorded: inside", "Caught error: Boom"],
            [.failed, .failed]
        ),
        Row(
            "8: a flake stands, though what failed beside it is filtered out",
            nil,
            "RealFailures/filteredOut",
            flakes: ["a race (fixable)"],
            issues: ["Issue recorded: inside"],
            [.failed, .failed]
        ),
        Row(
            "8: a retry that fails for real has failed",
            nil,
            "RealFailures/onRetry",
            flakes: ["a race (fixable)"],
            issues: ["Issue recorded: outside"],
            [.flaked, .failed]
        ),
        Row(
            "8: so has one during which a task fails that an earlier attempt left behind",
            nil,
            "LeftBehind/failsDuringRetry",
            flakes: ["a race (fixable)"],
            issues: ["Issue recorded: left behind"],
            [.flaked, .failed]
        ),
        Row("8: an error in tearDown is real", ErrorInTearDown.self, errors: ["threw error \"Other\""], [.failed]),
        Row(
            "8: an error in a teardown block is real",
            ErrorInTeardownBlock.self,
            errors: ["threw error \"Other\""],
            [.failed]
        ),
        Row(
            "8: an assertion in tearDown is real",
            AssertionInTearDown.self,
            errors: [#"XCTAssertGreaterThan failed: ("0") is not greater than ("0") - in tearDown"#],
            [.failed]
        ),
        Row(
            "8: in tearDown, the same error as in setUp is real",
            SameErrorTwice.self,
            errors: ["threw error \"Boom\""],
            [.failed]
        ),
        Row(
            "8: a failure behind invokeTest is real",
            FailsBehindInvokeTest.self,
            errors: ["failed - a leak"],
            [.failed]
        ),
        Row(
            "8: an error that an override keeps back is real where nothing flaked, too",
            KeepsTheOnlyErrorBack.self,
            errors: ["threw error \"Boom\""]
        ),
        Row(
            "8: so is an error that an override keeps back",
            KeepsErrorsBack.self,
            errors: ["threw error \"Boom\""],
            [.failed]
        ),
    ]) func row(row: Row) async throws { try await row.check() }

    @Test("8: it is accounted for: in the report and on standard error")
    func flakeThenReal() async throws {
        let run = try await run(FlakeThenReal.self, expecting: .failure)
        #expect(run.skips.isEmpty, "a retry was announced that does not follow")
        let failures = try #require(run.report.retries.first?.attempts.first?.failures)
        #expect(failures.map(\.message) == ["failed - inside", "failed - outside"])
        #expect(run.errorOutput.contains { $0.contains("failed - inside") && $0.contains("not retried") })
        let other = try await SwiftTestingRun.of("RealFailures/afterFlake")
        #expect(
            other.report.retries.first?.attempts.first?.failures.map(\.message)
                == ["Issue recorded: inside", "Issue recorded: outside"]
        )
    }

    @Test(
        "8: a test whose first attempt failed outside has not recovered, though the retry passes",
        arguments: [
            ("failsOnceAfterFlake", "Issue recorded: outside"), ("throwsOnceAfterFlake", "Caught error: Boom"),
        ]
    )
    func notRecovered(test: String, issue: String) async throws {
        let run = try await SwiftTestingRun.of("RealFailures/\(test)")
        #expect(run.ending == .failure)
        #expect(run.failures == [issue])
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

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

    @Test("what flaked is retried although a suite leaves out what was appended to it")
    func halfSuite() async throws {
        let run = try await run(RunsHalf.self, expecting: .failure)
        #expect(run.report.retries.map(\.outcome) == [.failed])
        #expect(run.report.retries.map(\.attemptedRetries) == [2])
    }
}

// MARK: - XCTest

final class RealThenFlake: RetryableTestCase, OneTest {
    func test() {
        XCTFail("outside")
        flaky(.fixable(reason: "a race")) { XCTFail("inside") }
    }
}

final class FlakeThenReal: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "a race")) { XCTFail("inside") }
        XCTFail("outside")
    }
}

final class FlakeThenErrorOutside: RetryableTestCase, OneTest {
    func test() throws {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
        if retryCount == 0 { throw Boom() }
    }
}

struct Other: Error, CustomStringConvertible {
    var description: String { "Other" }
}

final class ErrorInTearDown: RetryableTestCase, OneTest {
    func test() throws {
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
    }

    override func tearDownWithError() throws {
        if retryCount == 0 { throw Other() }
    }
}

final class ErrorInTeardownBlock: RetryableTestCase, OneTest {
    func test() throws {
        let isFirst = retryCount == 0
        addTeardownBlock { if isFirst { throw Other() } }
        try flaky(.fixable(reason: "a race")) { if isFirst { throw Boom() } }
    }
}

final class AssertionInTearDown: RetryableTestCase, OneTest {
    func test() throws {
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
    }

    override func tearDown() { XCTAssertGreaterThan(retryCount, 0, "in tearDown") }
}

final class SameErrorTwice: RetryableTestCase, OneTest {
    override func setUpWithError() throws {
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
    }

    func test() {}

    override func tearDownWithError() throws {
        if retryCount == 0 { throw Boom() }
    }
}

final class FailsBehindInvokeTest: RetryableTestCase, OneTest {
    func test() throws {
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
    }

    override func invokeTest() {
        super.invokeTest()
        if retryCount == 0 { XCTFail("a leak") }
    }
}

/// Passes on what an assertion tells, and no error.
class KeepsErrorsBack: RetryableTestCase, OneTest {
    func test() throws {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0, "inside") }
        if retryCount == 0 { throw Boom() }
    }

    override func recordFailure(
        withDescription description: String,
        inFile filePath: String,
        atLine lineNumber: Int,
        expected: Bool
    ) {
        guard expected else { return }
        super.recordFailure(
            withDescription: description,
            inFile: filePath,
            atLine: lineNumber,
            expected: expected
        )
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
            test.flaky(.fixable(reason: "a race")) {
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
        flaky(.fixable(reason: "a race")) { XCTAssertEqual(number, 4) }
    }
}

enum RunsHalf: Program {
    static var entries: [XCTestCaseEntry] { [] }
    static var suite: XCTestSuite? { HalfSuite.make() }
}

/// Runs the first of its tests, and none that was appended to it.
final class HalfSuite: XCTestSuite {
    static func make() -> XCTestSuite {
        let suite = HalfSuite(name: "Half")
        suite.addTest(NeverPasses(name: "testFails") { ($0 as? NeverPasses)?.testFails() })
        return suite
    }

    override func perform(_ run: XCTestRun) {
        run.start()
        if let first = tests.first {
            first.run()
            if let firstRun = first.testRun { (run as? XCTestSuiteRun)?.addTestRun(firstRun) }
        }
        run.stop()
    }
}

// MARK: - Swift Testing

#if PROGRAM
    @Suite(.retryable) struct RealFailures {
        @Test func afterFlake() {
            flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
            Issue.record("outside")
        }

        @Test func failsOnceAfterFlake() {
            flaky(.fixable(reason: "a race")) { #expect(Test.retryCount > 0) }
            if Test.retryCount == 0 { Issue.record("outside") }
        }

        @Test func throwsOnceAfterFlake() throws {
            flaky(.fixable(reason: "a race")) { #expect(Test.retryCount > 0) }
            if Test.retryCount == 0 { throw Boom() }
        }

        @Test func beforeFlake() {
            Issue.record("outside")
            flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
        }

        @Test func thrownAfterFlake() throws {
            flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
            throw Boom()
        }

        @Test func onRetry() {
            flaky(.fixable(reason: "a race")) { #expect(Test.retryCount > 0) }
            if Test.retryCount > 0 { Issue.record("outside") }
        }

        @Test(.filterIssues { !$0.comments.contains("noise") }) func filteredOut() {
            flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
            Issue.record("noise")
        }
    }

    @Suite(.retryable) struct LeftBehind {
        private static let retried = Gate()
        private static let failed = Gate()

        /// Leaves a task of its section behind, which fails while the retry runs.
        @Test func failsDuringRetry() async {
            if Test.retryCount == 0 {
                flaky(.fixable(reason: "a race")) {
                    Task {
                        await Self.retried.wait()
                        Issue.record("left behind")
                        await Self.failed.open()
                    }
                    Issue.record("inside")
                }
            } else {
                flaky(.fixable(reason: "a race")) {}
                await Self.retried.open()
                await Self.failed.wait()
            }
        }
    }
#endif
