import RetryReport
import Retryable
import Testing

@Suite("What follows a flake when continueAfterFailure is false")
struct StopTests: RowTable {
    static var rows: [Row] {
        Row("9: a section that can throw stops the test when it flakes", [.flaked, .passed], printed: ["attempt 2"])
            .xctest(setUp: stop) { test in
                try test.flaky(.race) { if test.retryCount == 0 { try failAndGoOn() } }
                print("attempt \(test.retryCount + 1)")
            } expecting: { run in
                #expect(run.report.tests.first?.attempts.first?.failures.count == 1)
            }
        Row(
            "9: a flake in a section that cannot throw stops the test at the next section that can",
            [.flaked, .passed],
            printed: ["attempt 2"]
        )
        .xctest(setUp: stop) { test in
            test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
            try test.flaky(.fixable(reason: "can throw")) {
                _ = try XCTUnwrap(Optional(1))
                print("attempt \(test.retryCount + 1)")
            }
        }
        Row(
            "9: a test that continues after failures goes on after a flake",
            [.flaked, .passed],
            printed: ["attempt 1", "attempt 2"]
        )
        .xctest { test in
            test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
            print("attempt \(test.retryCount + 1)")
        }
        Row(
            "9: a section in tearDown runs in full, even if the test was stopped",
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
        Row("9: the error that stops a test is no failure, even if it ends setUp", [.flaked, .passed])
            .xctest(setUp: { test in
                test.continueAfterFailure = false
                try test.flaky(.race) {
                    XCTAssertGreaterThan(test.retryCount, 0, "the flake")
                    _ = try XCTUnwrap(Optional(1))
                }
            }) { _ in
            } expecting: { run in
                #expect(run.report.tests.first?.attempts.first?.failures.count == 1)
            }
        Row("9: a failure after a flake that should have stopped the test is aftermath", [.flaked, .passed])
            .xctest(setUp: stop) { test in
                test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0, "the flake") }
                XCTAssertGreaterThan(test.retryCount, 0, "its aftermath")
            } expecting: {
                try checkAftermath($0)
            }
        Row(
            "9: a failure after a flake is aftermath, even if the test has set continueAfterFailure to true since",
            [.flaked, .passed]
        )
        .xctest { test in
            test.continueAfterFailure = false
            test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0, "the flake") }
            test.continueAfterFailure = true
            XCTAssertGreaterThan(test.retryCount, 0, "its aftermath")
        }
        Row(
            "9: a failure after a flake is real if the test set continueAfterFailure to false only after the flake",
            [.failed],
            failures: [.recorded("outside")]
        )
        .xctest { test in
            test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0, "the flake") }
            test.continueAfterFailure = false
            if test.retryCount == 0 { XCTFail("outside") }
        }
        Row(
            "9: a failure in tearDown is real, even if a flake should have stopped the test",
            [.failed],
            failures: [.recorded("in tearDown")]
        )
        .xctest(setUp: stop) { test in
            test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0, "the flake") }
        } tearDown: { test in
            if test.retryCount == 0 { XCTFail("in tearDown") }
        }
        Row(
            "9: a real failure stops neither the test nor the process",
            failures: [.recorded("one"), .recorded("two")]
        )
        .xctest(setUp: stop) { _ in
            XCTFail("one")
            XCTFail("two")
        }
        Row("9: an expectation that was not waited for because an error flaked is aftermath", [.flaked, .passed])
            .xctest(flakeWhileExpecting, expecting: checkAftermath)
        Row(
            "9: an expectation that was not waited for because an error flaked in setUp is aftermath",
            [.flaked, .passed]
        )
        .xctest(setUp: flakeWhileExpecting, { _ in }, expecting: checkAftermath)
        Row(
            "9: an expectation that was not waited for is a real failure if no error cut the test short",
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
    #expect(run.report.tests.first?.attempts.first?.failures.map(\.isAftermath) == [false, true])
}
