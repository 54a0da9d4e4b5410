import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What has passed")
struct PassedTests {
    @Test(arguments: [
        Row(
            "11: a retry that throws what only an earlier attempt has recorded fails with it",
            SharedFixture.self,
            "EarlierErrors/once",
            flakes: ["slow (fixable)"],
            errors: [notUnwrapped],
            issues: [notRecorded(fixtureLines.once, 51)],
            [.flaked, .failed]
        ),
        Row(
            "11: so it does where a task has recorded it",
            SharedTask.self,
            "EarlierErrors/ofTask",
            flakes: ["slow (fixable)"],
            errors: [notUnwrapped],
            issues: [notRecorded(fixtureLines.ofTask, 46)],
            [.flaked, .failed]
        ),
        Row(
            "11: it is a flake, like any error that leaves a section with retries left",
            SharedFixtureOften.self,
            "EarlierErrors/often",
            flakes: ["slow (not fixable)", "slow (not fixable)"],
            errors: [notUnwrapped],
            issues: [notRecorded(fixtureLines.often, 49)],
            [.flaked, .flaked, .failed]
        ),
        Row(
            "11: a test without a mark that throws what only an earlier test has recorded fails with it",
            nil,
            "EarlierTests",
            issues: ["Expectation failed: nil as Int? → nil: no fixture", notRecorded(fixtureLines.byTests, 51)]
        ),
        Row(
            "11: a retry that a trait inside has left out has not passed",
            nil,
            "LeftOut/test",
            flakes: ["a race (fixable)"],
            issues: [
                "Issue recorded: Issue recorded: inside"
                    + " (it flaked with this, and the retry did not come to a flaky section)"
            ],
            [.flaked, .failed]
        ),
        Row(
            "11: a trait around the attempts leaves out none of them",
            nil,
            "leftOutAround",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
    ]) func row(row: Row) async throws { try await row.check() }

    private static let notUnwrapped = "threw error \"XCTestErrorWhileUnwrappingOptional()\""

    private static func notRecorded(_ line: Int, _ column: Int) -> String {
        "Issue recorded: Expectation failed at Rule11.swift:\(line):\(column), before this attempt"
    }

    @Test(
        "11: so does a retry that throws it in tearDown or in a teardown block",
        arguments: [KeptInTearDown.self, KeptInTeardownBlock.self] as [any Program.Type]
    )
    func inTearDown(program: any Program.Type) async throws {
        let run = try await run(program, expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.cases.last == "\(program).test failed")
        #expect(run.report.retries.map(\.outcome) == [.failed])
        #expect(run.report.retries.first?.attempts.map(\.outcome) == [.flaked, .failed])
    }

    @Test("11: so does a test without a mark that throws what only an earlier test has recorded")
    func earlierTest() async throws {
        let run = try await run(SharedByTests.self, expecting: .failure)
        #expect(run.cases == ["SharedByTests.test1 failed", "SharedByTests.test2 failed"])
        #expect(run.errors.count == 2)
        #expect(run.report.retries.isEmpty)
    }

    @Test(
        "11: a retry that runs nothing, or is never performed, has not passed",
        arguments: [RunsNothing.self, PerformsNothing.self] as [any Program.Type]
    )
    func runsNothing(program: any Program.Type) async throws {
        let run = try await run(program, expecting: .failure)
        #expect(run.cases == ["\(program).test skipped", "\(program).test failed"])
        #expect(run.errors.first?.contains("the retry did not run the test") == true)
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }
}

// MARK: - XCTest

/// Makes the fixture that its tests need once, in whichever comes first.
final class SharedFixture: RetryableTestCase, OneTest {
    private static let fixture = Result { try XCTUnwrap(nil as Int?, "no fixture") }

    func test() throws {
        let value = try flaky(.fixable(reason: "slow")) { try Self.fixture.get() }
        XCTAssertEqual(value, 1)
    }
}

final class SharedFixtureOften: RetryableTestCase, OneTest {
    private static let fixture = Result { try XCTUnwrap(nil as Int?, "no fixture") }

    func test() throws {
        let value = try flaky(.notFixable(reason: "slow", maxRetryCount: 2)) { try Self.fixture.get() }
        XCTAssertEqual(value, 1)
    }
}

final class SharedTask: RetryableTestCase, OneAsyncTest {
    private static let fixture = Task { try XCTUnwrap(nil as Int?, "no fixture") }

    func test() async throws {
        let value = try await flaky(.fixable(reason: "slow")) { try await Self.fixture.value }
        XCTAssertEqual(value, 1)
    }
}

final class SharedByTests: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test1", test1), ("test2", test2)])] }
    private static let fixture = Result { try XCTUnwrap(nil as Int?, "no fixture") }

    func test1() throws { _ = try Self.fixture.get() }

    func test2() throws { _ = try Self.fixture.get() }
}

final class KeptInTearDown: RetryableTestCase, OneTest {
    private static let fixture = Result { try XCTUnwrap(nil as Int?, "no fixture") }

    func test() {}

    override func tearDownWithError() throws {
        _ = try flaky(.fixable(reason: "slow")) { try Self.fixture.get() }
    }
}

final class KeptInTeardownBlock: RetryableTestCase, OneTest {
    private static let fixture = Result { try XCTUnwrap(nil as Int?, "no fixture") }

    func test() {
        nonisolated(unsafe) let test = self
        addTeardownBlock { _ = try test.flaky(.fixable(reason: "slow")) { try Self.fixture.get() } }
    }
}

final class RunsNothing: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "a race")) { XCTFail("always") }
    }

    override func invokeTest() {
        if retryCount == 0 { super.invokeTest() }
    }
}

final class PerformsNothing: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "a race")) { XCTFail("always") }
    }

    override func perform(_ run: XCTestRun) {
        if retryCount == 0 { super.perform(run) }
    }
}

// MARK: - Swift Testing

/// Where `EarlierErrors` and `EarlierTests` below make their fixtures.
private let fixtureLines = (once: #line + 5, often: #line + 6, ofTask: #line + 7, byTests: #line + 27)

#if PROGRAM
    /// Makes the fixture that its tests need once, in the first attempt.
    @Suite(.retryable) struct EarlierErrors {
        private static let fixture = Result { try #require(nil as Int?, "no fixture") }
        private static let other = Result { try #require(nil as Int?, "no fixture") }
        private static let task = Task { try #require(nil as Int?, "no fixture") }

        @Test func once() throws {
            let value = try flaky(.fixable(reason: "slow")) { try Self.fixture.get() }
            #expect(value == 1)
        }

        @Test func often() throws {
            let value = try flaky(.notFixable(reason: "slow", maxRetryCount: 2)) { try Self.other.get() }
            #expect(value == 1)
        }

        @Test func ofTask() async throws {
            let value = try await flaky(.fixable(reason: "slow")) { try await Self.task.value }
            #expect(value == 1)
        }
    }

    /// Makes the fixture that both tests need once, in the first of them.
    @Suite(.retryable, .serialized) struct EarlierTests {
        private static let fixture = Result { try #require(nil as Int?, "no fixture") }

        @Test func first() throws { _ = try Self.fixture.get() }

        @Test func second() throws { _ = try Self.fixture.get() }
    }

    /// Leaves out the retries of the test that it is on.
    struct LeavesOutRetries: TestTrait, TestScoping {
        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            if Test.retryCount == 0 { try await function() }
        }
    }

    @Suite(.retryable) struct LeftOut {
        @Test(LeavesOutRetries()) func test() {
            flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
        }
    }

    /// The trait is asked once, for all attempts.
    @Test(LeavesOutRetries(), .flaky(.fixable(reason: "a race"))) func leftOutAround() { #expect(Test.retryCount > 0) }
#endif
