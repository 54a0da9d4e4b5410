import Foundation
import RetryReport
import Retryable
import RetryableTesting
import Testing

/// In the mode `complete`, the default of packages with tools version 6.4, and in `limited`, that of others.
@Suite(
    "Assertions of the other framework",
    .enabled("Swift 6.4 counts them") { try await SwiftTestingRun.isSince6_4() }
)
struct OtherFrameworkTests {
    private static let limited = ["SWIFT_TESTING_XCTEST_INTEROP_MODE": "limited"]
    private static let complete = ["SWIFT_TESTING_XCTEST_INTEROP_MODE": "complete"]

    @Test("an assertion of XCTest outside of sections fails a test of Swift Testing")
    func xctestOutside() async throws {
        let run = try await SwiftTestingRun.of("OtherFramework/outside", environment: Self.complete)
        #expect(run.ending == .failure)
        #expect(run.report.tests.isEmpty)
    }

    @Test("an assertion of XCTest in a section of Swift Testing is retried, but its message is lost")
    func xctestInside() async throws {
        let run = try await SwiftTestingRun.of("OtherFramework/inside", environment: Self.complete)
        #expect(run.ending == .success)
        checkRecovered(run.report, "Issue recorded")
    }

    @Test("an assertion of XCTest in a section of Swift Testing without retries left fails the run")
    func xctestAlways() async throws {
        let run = try await SwiftTestingRun.of("OtherFramework/always", environment: Self.complete)
        #expect(run.ending == .failure)
    }

    @Test("an assertion of XCTest is a warning in Swift Testing, in the mode limited, and no flake")
    func xctestLimited() async throws {
        let run = try await SwiftTestingRun.of("OtherFramework/always", environment: Self.limited)
        #expect(run.ending == .success)
        #expect(run.report.tests.isEmpty)
    }

    @Test(
        "an expectation of Swift Testing fails a test of XCTest outside of sections, and in one without retries left",
        arguments: [ExpectsOutside.self, AlwaysExpects.self] as [any Program.Type],
        [limited, complete]
    )
    func swiftTestingFails(program: any Program.Type, mode: [String: String]) async throws {
        _ = try await run(program, expecting: .failure, environment: mode)
    }

    @Test(
        "an expectation of Swift Testing in a section of XCTest is retried, also on a thread",
        arguments: [ExpectsInside.self, ExpectsOnThread.self] as [any Program.Type],
        [limited, complete]
    )
    func swiftTestingInside(program: any Program.Type, mode: [String: String]) async throws {
        let run = try await run(program, environment: mode)
        checkRecovered(run.report, "Expectation failed: retryCount > 0: retryCount > 0 → false\nretryCount → 0")
    }

    private func checkRecovered(_ report: Report, _ message: String) {
        #expect(report.tests.map(\.outcome) == [.recovered])
        #expect(report.tests.first?.attempts.map(\.outcome) == [.flaked, .passed])
        #expect(report.tests.first?.attempts.first?.failures.first?.message == message)
    }
}

// MARK: - XCTest

final class ExpectsOutside: RetryableTestCase, OneTest {
    func test() { #expect(Bool(false)) }
}

final class ExpectsInside: RetryableTestCase, OneTest {
    func test() { flaky(.race) { #expect(retryCount > 0) } }
}

final class ExpectsOnThread: RetryableTestCase, OneTest {
    func test() {
        flaky(.race) {
            let ended = expectation(description: "ended")
            Thread.detachNewThread { [retryCount] in
                #expect(retryCount > 0)
                ended.fulfill()
            }
            wait(for: [ended], timeout: 60)
        }
    }
}

final class AlwaysExpects: RetryableTestCase, OneTest {
    func test() { flaky(.race) { #expect(Bool(false)) } }
}

// MARK: - Swift Testing

#if PROGRAM
    @Suite(.retryable) struct OtherFramework {
        @Test func outside() { XCTFail("outside") }

        @Test func inside() { flaky(.race) { XCTAssertGreaterThan(Test.retryCount, 0) } }

        @Test func always() { flaky(.race) { XCTFail("always") } }
    }
#endif
