import Foundation
import RetryReport
import Retryable
import Testing

/// When a test of XCTest is told of its flake.
@Suite("A test's didFlake()")
struct ToldTests {
    @Test("didFlake() is called once in an attempt, right after its first flake, and in the attempts that flake alone")
    func once() async throws {
        let run = try await run(ToldOnce.self)
        #expect(
            run.printed == [
                "before", "told of attempt 1", "after", "before", "told of attempt 2", "after", "before", "after",
            ]
        )
        #expect(run.cases == ["ToldOnce.test skipped", "ToldOnce.test skipped", "ToldOnce.test passed"])
    }

    @Test(
        "didFlake() is called for an error, and for a flake in setUp, before the test goes on",
        arguments: [
            ("error", ["told of attempt 1", "torn down", "torn down"]),
            ("setUp", ["told of attempt 1", "torn down", "torn down"]),
        ]
    )
    func errors(way: String, printed: [String]) async throws {
        #expect(try await run(ToldOfError.self, with: [way]).printed == printed)
    }

    @Test(
        "didFlake() is not called for a real failure, nor where the settings allow no flake",
        arguments: [("outside", [:]), ("usedUp", [:]), ("strict", ["RETRYABLE_MODE": "strict"])]
    )
    func real(way: String, environment: [String: String]) async throws {
        let run = try await run(ToldOfReal.self, with: [way], expecting: .failure, environment: environment)
        #expect(!run.printed.contains { $0.hasPrefix("told") })
    }

    @Test(
        "what fails in didFlake() is real, in a section of it as well, in a task, and where the test should stop",
        arguments: ["plain", "section", "task", "stops"]
    )
    func fails(way: String) async throws {
        let run = try await run(FailsWhenTold.self, with: [way], expecting: .failure)
        #expect(run.cases == ["FailsWhenTold.test failed"])
        #expect(run.errors == ["FailsWhenTold.test : failed - in didFlake"])
        #expect(run.report.tests.map(\.outcome) == [.failed])
        #expect(run.report.tests.first?.attempts.first?.failures.map(\.isAftermath) == [false, false])
    }

    @Test("the end of a supervised process in didFlake() is real", arguments: ["exit", "exitInSection"])
    func dies(way: String) async throws {
        let settings = ["RETRYABLE_SUPERVISE": "1"]
        let run = try await run(FailsWhenTold.self, with: [way], expecting: .failure, environment: settings)
        #expect(run.cases == ["FailsWhenTold.test failed"])
        #expect(run.report.tests.map(\.outcome) == [.failed])
    }

    @Test(
        "a failure that another task or thread has in the section while didFlake() runs is the section's",
        arguments: ["task", "thread"]
    )
    func meanwhile(way: String) async throws {
        let run = try await run(FailsMeanwhile.self, with: [way])
        #expect(run.cases == ["FailsMeanwhile.test skipped", "FailsMeanwhile.test passed"])
    }
}

final class ToldOnce: RetryableTestCase, OneTest {
    func test() {
        print("before")
        flaky(.notFixable(reason: "a race", maxRetryCount: 2)) {
            XCTAssertGreaterThan(retryCount, 1)
            XCTAssertGreaterThan(retryCount, 1)
        }
        print("after")
    }

    override func didFlake() { print("told of attempt \(retryCount + 1)") }
}

final class ToldOfError: RetryableTestCase, OneTest {
    private let way = CommandLine.arguments.last

    override func setUpWithError() throws { if way == "setUp" { try fail() } }
    func test() throws { if way == "error" { try fail() } }
    override func tearDown() { print("torn down") }
    override func didFlake() { print("told of attempt \(retryCount + 1)") }

    private func fail() throws { try flaky(.race) { if retryCount == 0 { throw Boom() } } }
}

final class ToldOfReal: RetryableTestCase, OneTest {
    func test() {
        let way = CommandLine.arguments.last
        flaky(.notFixable(reason: "a race", maxRetryCount: way == "strict" ? 1 : 0)) {
            if way != "outside" { XCTFail("inside") }
        }
        if way == "outside" { XCTFail("outside") }
    }

    override func didFlake() { print("told") }
}

final class FailsWhenTold: RetryableTestCase, OneTest {
    private let way = CommandLine.arguments.last

    func test() throws {
        continueAfterFailure = way != "stops"
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { try fail() } }
    }

    /// Fails and goes on; could throw.
    private func fail() throws { XCTFail("inside") }

    override func didFlake() {
        switch way {
        case "exit": exit(0)
        case "exitInSection": flaky(.notFixable(reason: "another", maxRetryCount: 9)) { exit(0) }
        case "section": flaky(.notFixable(reason: "another", maxRetryCount: 9)) { XCTFail("in didFlake") }
        case "task":
            let failed = DispatchSemaphore(value: 0)
            Task {
                XCTFail("in didFlake")
                failed.signal()
            }
            failed.wait()
        default: XCTFail("in didFlake")
        }
    }
}

final class FailsMeanwhile: RetryableTestCase, OneTest {
    private let (told, failed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    func test() {
        let (told, failed, isFirst) = (told, failed, retryCount == 0)
        flaky(.race) {
            @Sendable func fail() {
                XCTAssertFalse(isFirst)
                failed.signal()
            }
            if CommandLine.arguments.last == "thread" {
                Thread.detachNewThread {
                    told.wait()
                    fail()
                }
            } else {
                Task {
                    while told.wait(timeout: .now()) == .timedOut { await Task.yield() }
                    fail()
                }
            }
            XCTAssertFalse(isFirst)
            if !isFirst {
                told.signal()
                failed.wait()
            }
        }
    }

    override func didFlake() {
        told.signal()
        failed.wait()
    }
}
