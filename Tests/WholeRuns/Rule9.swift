import RetryReport
import Retryable
import Testing

@Suite("What follows a flake where continueAfterFailure is false")
struct StopTests {
    @Test(arguments: [
        Row(
            "9: a test that should have stopped records aftermath of the flake",
            Aftermath.self,
            flakes: ["cannot throw (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "9: so does one that was to stop when it flaked, whatever it says later",
            GoesOnLater.self,
            flakes: ["cannot throw (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "9: one that says only after the flake that it is to stop fails outside",
            StopsLater.self,
            errors: ["failed - outside"],
            [.failed]
        ),
        Row(
            "9: tearDown is outside: what fails there is real",
            StopsAndFailsInTearDown.self,
            errors: ["failed - in tearDown"],
            [.failed]
        ),
        Row(
            "9: real failures end nothing, and do not end the process",
            StopsOnReal.self,
            errors: ["failed - one", "failed - two"]
        ),
        Row(
            "9: an error that flaked explains the expectations nobody waited for",
            Unwaited.self,
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row("9: so it does in setUp", UnwaitedAfterSetUp.self, flakes: ["a race (fixable)"], [.flaked, .passed]),
        Row(
            "9: where nothing cut the test short, they are a real failure",
            UnwaitedNotCut.self,
            errors: ["Failed due to unwaited expectation 'never waited for'"],
            [.failed]
        ),
    ]) func row(row: Row) async throws { try await row.check() }

    @Test(
        "9: the aftermath stands in the report beside the flake",
        arguments: [Aftermath.self, Unwaited.self, UnwaitedAfterSetUp.self] as [any Program.Type]
    )
    func aftermath(program: any Program.Type) async throws {
        let run = try await run(program)
        #expect(run.report.retries.first?.attempts.first?.failures.map(\.isAftermath) == [false, true])
    }

    @Test("9: with continueAfterFailure = false a section that can throw stops the test when it has flaked")
    func stops() async throws {
        let run = try await run(Stops.self)
        #expect(run.printed == ["reached on attempt 2"])
        #expect(run.cases == ["Stops.test skipped", "Stops.test passed"])
        #expect(run.report.retries.first?.attempts.first?.failures.count == 1)
    }

    @Test("9: one that cannot throw is followed by the next that can")
    func stopsAtNext() async throws {
        let run = try await run(StopsAtNext.self)
        #expect(run.printed == ["reached on attempt 2"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("9: without it the test goes on")
    func goesOn() async throws {
        let run = try await run(GoesOn.self)
        #expect(run.printed == ["reached on attempt 1", "reached on attempt 2"])
    }

    @Test("9: what tears down is run in full, though the test was stopped")
    func sectionAfterStop() async throws {
        let run = try await run(SectionAfterStop.self)
        #expect(run.printed == ["cleaned up after attempt 1", "cleaned up after attempt 2"])
    }

    @Test("9: what stops a test is no failure of it, also where XCTest reports it")
    func stopInSetUp() async throws {
        let run = try await run(StopInSetUp.self)
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(run.report.retries.first?.attempts.first?.failures.count == 1)
    }

    @Test("9: a measured block ends at its failure, as it does with XCTestCase")
    func measure() async throws {
        let plain = try await run(PlainMeasures.self, expecting: .failure)
        let retryable = try await run(Measures.self, expecting: .failure)
        func asPlain(_ lines: [String]) -> [String] {
            lines.map { $0.replacing("PlainMeasures", with: "Measures").replacing(#/Rule9\.swift:\d+/#, with: "Rule9") }
        }
        #expect(asPlain(retryable.output) == asPlain(plain.output))
    }
}

// MARK: - Programs

final class Aftermath: RetryableTestCase, OneTest {
    override func setUp() { continueAfterFailure = false }

    func test() {
        flaky(.fixable(reason: "cannot throw")) { XCTAssertGreaterThan(retryCount, 0, "the flake") }
        XCTAssertGreaterThan(retryCount, 0, "its aftermath")
    }
}

final class GoesOnLater: RetryableTestCase, OneTest {
    func test() {
        continueAfterFailure = false
        flaky(.fixable(reason: "cannot throw")) { XCTAssertGreaterThan(retryCount, 0, "the flake") }
        continueAfterFailure = true
        XCTAssertGreaterThan(retryCount, 0, "its aftermath")
    }
}

final class StopsLater: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0, "the flake") }
        continueAfterFailure = false
        if retryCount == 0 { XCTFail("outside") }
    }
}

final class StopsAndFailsInTearDown: RetryableTestCase, OneTest {
    override func setUp() { continueAfterFailure = false }

    func test() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0, "the flake") }
    }

    override func tearDown() { if retryCount == 0 { XCTFail("in tearDown") } }
}

final class StopsOnReal: RetryableTestCase, OneTest {
    override func setUp() { continueAfterFailure = false }

    func test() {
        XCTFail("one")
        XCTFail("two")
    }
}

final class Unwaited: RetryableTestCase, OneTest {
    func test() throws {
        let expectation = expectation(description: "never waited for")
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
        expectation.fulfill()
        wait(for: [expectation], timeout: 1)
    }
}

final class UnwaitedAfterSetUp: RetryableTestCase, OneTest {
    override func setUpWithError() throws {
        let expectation = expectation(description: "never waited for")
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
        expectation.fulfill()
        wait(for: [expectation], timeout: 1)
    }

    func test() {}
}

final class UnwaitedNotCut: RetryableTestCase, OneTest {
    func test() {
        _ = expectation(description: "never waited for")
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
    }
}

final class Stops: RetryableTestCase, OneTest {
    override func setUp() { continueAfterFailure = false }

    func test() throws {
        try flaky(.fixable(reason: "a race")) {
            if retryCount == 0 { try Self.fail() }
        }
        print("reached on attempt \(retryCount + 1)")
    }

    /// Fails and goes on, as an assertion does; could throw.
    private static func fail() throws { XCTFail("inside") }
}

final class StopsAtNext: RetryableTestCase, OneTest {
    override func setUp() { continueAfterFailure = false }

    func test() throws {
        flaky(.fixable(reason: "cannot throw")) { XCTAssertGreaterThan(retryCount, 0) }
        try flaky(.fixable(reason: "can throw")) {
            _ = try XCTUnwrap(Optional(1))
            print("reached on attempt \(retryCount + 1)")
        }
    }
}

final class GoesOn: RetryableTestCase, OneTest {
    func test() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
        print("reached on attempt \(retryCount + 1)")
    }
}

final class SectionAfterStop: RetryableTestCase, OneTest {
    override func setUp() { continueAfterFailure = false }

    func test() throws {
        try flaky(.fixable(reason: "a race")) {
            XCTAssertGreaterThan(retryCount, 0)
            _ = try XCTUnwrap(Optional(1))
        }
    }

    override func tearDownWithError() throws {
        try flaky(.fixable(reason: "slow")) {
            _ = try XCTUnwrap(Optional(1))
            print("cleaned up after attempt \(retryCount + 1)")
        }
    }
}

final class StopInSetUp: RetryableTestCase, OneTest {
    override func setUpWithError() throws {
        continueAfterFailure = false
        try flaky(.fixable(reason: "a race")) {
            XCTAssertGreaterThan(retryCount, 0, "the flake")
            _ = try XCTUnwrap(Optional(1))
        }
    }

    func test() {}
}

final class Measures: RetryableTestCase, OneTest {
    func test() {
        continueAfterFailure = false
        measure { XCTFail("measured") }
    }
}

final class PlainMeasures: XCTestCase, OneTest {
    func test() {
        continueAfterFailure = false
        measure { XCTFail("measured") }
    }
}
