import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What has passed")
struct PassedTests: RowTable {
    /// Fixtures that are made once, by the first attempt that needs them, and fail.
    private static let unwrapped = Result { try XCTUnwrap(nil as Int?, "no fixture") }
    private static let unwrappedByTask = Task { try XCTUnwrap(nil as Int?, "no fixture") }
    private static let required = Result { try #require(nil as Int?, "no fixture") }
    private static let requiredByTask = Task { try #require(nil as Int?, "no fixture") }
    private static let lines = (required: #line - 2, requiredByTask: #line - 1)

    static var rows: [Row] {
        Row(
            "11: a retry that throws an error which only an earlier attempt recorded has failed",
            [.flaked, .failed],
            failures: [kept(lines.required, 48)]
        )
        .xctest { test in _ = try test.flaky(.race) { try unwrapped.get() } }
        .testing { _ = try flaky(.race) { try required.get() } }
        Row(
            "11: a retry that throws the recorded error of an earlier attempt's task has failed",
            [.flaked, .failed],
            failures: [kept(lines.requiredByTask, 52)]
        )
        .xctest { test in _ = try await test.flaky(.race) { try await unwrappedByTask.value } }
        .testing { _ = try await flaky(.race) { try await requiredByTask.value } }
        Row(
            "11: a retry that throws in tearDown what only an earlier attempt recorded has failed",
            [.flakedLate(), .failed],
            failures: [keptInTearDown]
        )
        .xctest { _ in
        } tearDown: { test in
            _ = try test.flaky(.race) { try unwrapped.get() }
        }
        Row(
            "11: a retry that throws in a teardown block what only an earlier attempt recorded has failed",
            [.flakedLate(), .failed],
            failures: [keptInTearDown]
        )
        .xctest { test in
            let shared = Shared(test: test)
            test.addTeardownBlock { _ = try shared.test.flaky(.race) { try unwrapped.get() } }
        }
        Row(
            "11: an attempt that throws in a section what only an earlier one recorded flakes while retries are left",
            [.flaked, .flaked, .failed],
            failures: [kept(lines.required, 48)]
        )
        .xctest { test in
            _ = try test.flaky(.notFixable(reason: "a race", maxRetryCount: 2)) { try unwrapped.get() }
        }
        .testing { _ = try flaky(.notFixable(reason: "a race", maxRetryCount: 2)) { try required.get() } }
        Row(
            "11: in Swift Testing, a test without a mark that throws what only an earlier test recorded fails",
            failures: ["Expectation failed: nil as Int?: no fixture", kept(fixtureLine, 51)]
        )
        .testing("EarlierTests")
        Row(
            "11: a retry whose body a trait leaves out has not passed",
            [.flaked, .failed],
            failures: [
                .recorded("Issue recorded: inside (it flaked with this, and the retry did not come to a flaky section)")
            ]
        )
        .testing("LeftOut/test")
        Row("11: a retry that ran to its end has passed, though it came to no section", [.flaked, .passed])
            .xctest { test in if test.retryCount == 0 { test.flaky(.race) { XCTFail("once") } } }
            .testing { if Test.retryCount == 0 { flaky(.race) { _ = Issue.record("once") } } }
        Row("11: a retry whose invokeTest runs nothing has not passed", [.flaked, .failed], failures: [notRun])
            .xctest(RunsNothing.self)
        Row("11: a retry whose perform(_:) runs nothing has not passed", [.flaked, .failed], failures: [notRun])
            .xctest(PerformsNothing.self)
        Row("11: a trait around all attempts cannot leave out a retry", [.flaked, .passed])
            .testing("leftOutAround")
        Row("11: a trait around all attempts does not make a retry without a section fail", [.flaked, .passed])
            .testing("AroundWithoutSection/test")
        Row("11: a trait that filters issues does not make a retry without a section fail", [.flaked, .passed])
            .testing("FilterWithoutSection/test")
    }

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    private static let notRun: Row.Failure =
        "failed - always (it flaked with this, and the retry did not run the test to its end)"

    private static let keptInTearDown: Row.Failure =
        "threw an error of XCTUnwrap, whose failure was recorded elsewhere: XCTestErrorWhileUnwrappingOptional()"

    private static func kept(_ line: Int, _ column: Int) -> Row.Failure {
        .init(
            "threw error \"XCTestErrorWhileUnwrappingOptional()\"",
            testing: "Issue recorded: Expectation failed at Rule11.swift:\(line):\(column), outside of this attempt"
        )
    }

    @Test("11: in XCTest, a test without a mark that throws what only an earlier test recorded fails")
    func earlierTest() async throws {
        let run = try await run(SharedByTests.self, expecting: .failure)
        #expect(run.cases == ["SharedByTests.test1 failed", "SharedByTests.test2 failed"])
        #expect(run.errors.count == 2)
        #expect(run.report.tests.isEmpty)
    }
}

// MARK: - Classes and suites of their own

final class SharedByTests: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test1", test1), ("test2", test2)])] }
    private static let fixture = Result { try XCTUnwrap(nil as Int?, "no fixture") }

    func test1() throws { _ = try Self.fixture.get() }

    func test2() throws { _ = try Self.fixture.get() }
}

final class RunsNothing: RetryableTestCase, OneTest {
    func test() {
        flaky(.race) { XCTFail("always") }
    }

    override func invokeTest() {
        if retryCount == 0 { super.invokeTest() }
    }
}

final class PerformsNothing: RetryableTestCase, OneTest {
    func test() {
        flaky(.race) { XCTFail("always") }
    }

    override func perform(_ run: XCTestRun) {
        if retryCount == 0 { super.perform(run) }
    }
}

/// The line of the fixture of `EarlierTests`.
private let fixtureLine = #line + 5

#if PROGRAM
    /// Makes the fixture that both tests need once, in the first of them.
    @Suite(.retryable, .serialized) struct EarlierTests {
        private static let fixture = Result { try #require(nil as Int?, "no fixture") }

        @Test func first() throws { _ = try Self.fixture.get() }

        @Test func second() throws { _ = try Self.fixture.get() }
    }

    private let leavesOutRetries = Around { test in if Test.retryCount == 0 { try await test() } }

    @Suite(.retryable) struct LeftOut {
        @Test(leavesOutRetries) func test() {
            flaky(.race) { _ = Issue.record("inside") }
        }
    }

    /// The trait is asked once, for all attempts.
    @Test(leavesOutRetries, .flaky(.race)) func leftOutAround() { #expect(Test.retryCount > 0) }

    struct FilterWithoutSection {
        @Test(.retryable, .filterIssues { !$0.comments.contains("noise") }) func test() {
            if Test.retryCount == 0 { flaky(.race) { _ = Issue.record("once") } }
        }
    }

    struct AroundWithoutSection {
        @Test(leavesOutRetries, .retryable) func test() {
            if Test.retryCount == 0 { flaky(.race) { _ = Issue.record("once") } }
        }
    }
#endif
