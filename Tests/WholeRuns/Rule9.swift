import RetryReport
import Retryable
import Testing

@Suite("What follows a flake where continueAfterFailure is false")
struct StopTests: RowTable {
    static var rows: [Row] {
        Row("9: a section that can throw stops the test when it flakes", [.flaked, .passed], printed: ["attempt 2"])
            .xctest(setUp: stop) { test in
                try test.flaky(.race) { if test.retryCount == 0 { try failAndGoOn() } }
                print("attempt \(test.retryCount + 1)")
            } expecting: { run in
                #expect(run.report.retries.first?.attempts.first?.failures.count == 1)
            }
        Row("9: one that cannot throw is followed by the next that can", [.flaked, .passed], printed: ["attempt 2"])
            .xctest(setUp: stop) { test in
                test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
                try test.flaky(.fixable(reason: "can throw")) {
                    _ = try XCTUnwrap(Optional(1))
                    print("attempt \(test.retryCount + 1)")
                }
            }
        Row("9: without it the test goes on", [.flaked, .passed], printed: ["attempt 1", "attempt 2"])
            .xctest { test in
                test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
                print("attempt \(test.retryCount + 1)")
            }
        Row(
            "9: what tears down is run in full, though the test was stopped",
            [.flaked, .passed],
            printed: ["cleaned up after attempt 1", "cleaned up after attempt 2"]
        )
        .xctest(setUp: stop) { test in
            try test.flaky(.race) {
                XCTAssertGreaterThan(test.retryCount, 0)
                _ = try XCTUnwrap(Optional(1))
            }
        } tearDown: { test in
            try test.flaky(.fixable(reason: "slow")) {
                _ = try XCTUnwrap(Optional(1))
                print("cleaned up after attempt \(test.retryCount + 1)")
            }
        }
        Row("9: what stops a test is no failure of it, also where XCTest reports it", [.flaked, .passed])
            .xctest(setUp: { test in
                test.continueAfterFailure = false
                try test.flaky(.race) {
                    XCTAssertGreaterThan(test.retryCount, 0, "the flake")
                    _ = try XCTUnwrap(Optional(1))
                }
            }) { _ in
            } expecting: { run in
                #expect(run.report.retries.first?.attempts.first?.failures.count == 1)
            }
        Row("9: a test that should have stopped records aftermath of the flake", [.flaked, .passed])
            .xctest(setUp: stop) { test in
                test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0, "the flake") }
                XCTAssertGreaterThan(test.retryCount, 0, "its aftermath")
            } expecting: {
                try checkAftermath($0)
            }
        Row("9: so does one that was to stop when it flaked, whatever it says later", [.flaked, .passed])
            .xctest { test in
                test.continueAfterFailure = false
                test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0, "the flake") }
                test.continueAfterFailure = true
                XCTAssertGreaterThan(test.retryCount, 0, "its aftermath")
            }
        Row("9: one that says so only after the flake fails outside", [.failed], failures: [.recorded("outside")])
            .xctest { test in
                test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0, "the flake") }
                test.continueAfterFailure = false
                if test.retryCount == 0 { XCTFail("outside") }
            }
        Row("9: tearDown is outside: what fails there is real", [.failed], failures: [.recorded("in tearDown")])
            .xctest(setUp: stop) { test in
                test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0, "the flake") }
            } tearDown: { test in
                if test.retryCount == 0 { XCTFail("in tearDown") }
            }
        Row("9: real failures end nothing, and do not end the process", failures: [.recorded("one"), .recorded("two")])
            .xctest(setUp: stop) { _ in
                XCTFail("one")
                XCTFail("two")
            }
        Row("9: an error that flaked explains the expectations nobody waited for", [.flaked, .passed])
            .xctest(flakeWhileExpecting, expecting: checkAftermath)
        Row("9: so it does in setUp", [.flaked, .passed])
            .xctest(setUp: flakeWhileExpecting, { _ in }, expecting: checkAftermath)
        Row(
            "9: where nothing cut the test short, they are a real failure",
            [.failed],
            failures: ["Failed due to unwaited expectation 'never waited for'"]
        )
        .xctest { test in
            _ = test.expectation(description: "never waited for")
            test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
        }
    }

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }
}

private let stop: Row.Body = { test in test.continueAfterFailure = false }

/// Fails and goes on, as an assertion does; could throw.
private func failAndGoOn() throws { XCTFail("inside") }

@Sendable private func flakeWhileExpecting(_ test: RetryableTestCase) throws {
    let expectation = test.expectation(description: "never waited for")
    try test.flaky(.race) { if test.retryCount == 0 { throw Boom() } }
    expectation.fulfill()
    test.wait(for: [expectation], timeout: 1)
}

private let checkAftermath: Row.XCTestCheck = { run in
    #expect(run.report.retries.first?.attempts.first?.failures.map(\.isAftermath) == [false, true])
}
