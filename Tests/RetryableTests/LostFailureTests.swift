import Foundation
import RetryReport
import Testing

/// Where a failure could be lost between a flake and its retry.
@Suite("Nothing is lost")
struct LostFailureTests {
    @Test(
        "a failure outside that follows a flake is real, wherever it comes from",
        arguments: [
            ("flake, then an error in tearDown", "Other"), ("flake, then an error in a teardown block", "Other"),
            ("flake, then an assertion in tearDown", "in tearDown"), ("flake, then an error outside", "Boom"),
            ("same error in setUp and tearDown", "Boom"), ("failure behind invokeTest", "a leak"),
            ("flake, then an error that an override keeps back", "Boom"),
        ]
    )
    func realAfterFlake(scenario: String, message: String) async throws {
        let run = try await run(scenario, expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains(message) == true)
        #expect(run.cases.count == 1)
        #expect(run.cases.last?.hasSuffix("failed") == true)
        #expect(run.report.retries.map(\.outcome) == [.failed])
        #expect(run.report.retries.map(\.attemptedRetries) == [0])
    }

    @Test("a retry that runs nothing has not passed")
    func runsNothing() async throws {
        let run = try await run("retry that runs nothing", expecting: .failure)
        #expect(run.cases == ["RunsNothing.test skipped", "RunsNothing.test failed"])
        #expect(run.errors.first?.contains("the retry did not run the test") == true)
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

    @Test("a retry whose run is never performed has not passed")
    func performsNothing() async throws {
        let run = try await run("retry that is not performed", expecting: .failure)
        #expect(run.cases == ["PerformsNothing.test skipped", "PerformsNothing.test failed"])
        #expect(run.errors.first?.contains("the retry did not run the test") == true)
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

    @Test("an error that flaked in setUp explains the expectations nobody waited for")
    func unwaitedAfterSetUp() async throws {
        let run = try await run("flake in setUp, unwaited expectation")
        #expect(run.errors.isEmpty)
        #expect(run.report.retries.first?.attempts.first?.failures.map(\.isAftermath) == [false, true])
    }

    @Test("under a bad mark, nothing is a flake, not even of a section around it")
    func nestedBadMark() async throws {
        let run = try await run("nested bad mark", expecting: .failure)
        #expect(run.errors.count == 2)
        #expect(run.report.retries.isEmpty)
    }

    @Test("a bad mark on an instance that does not run fails the test that does")
    func badMarkOnAnother() async throws {
        let run = try await run("bad mark on another instance", expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains("the reason is empty") == true)
    }

    @Test("a failure after the end of its test is no flake: XCTest stops the process, as it does for any test")
    func late() async throws {
        let run = try await run("failure after the end", expecting: .signal(SIGILL))
        #expect(run.report.retries.isEmpty)
        #expect(run.errorOutput.contains { $0.contains("has already been stopped") })
    }

    @Test("an error is known again after another has left a section and was caught")
    func earlierError() async throws {
        let run = try await run("an earlier error rethrown")
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("an error that leaves a section into an assertion is a flake")
    func errorInAssertion() async throws {
        let run = try await run("error in an assertion")
        #expect(run.cases == ["ErrorInAssertion.test skipped", "ErrorInAssertion.test passed"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("what tears down is run in full, though the test was stopped")
    func sectionAfterStop() async throws {
        let run = try await run("section in tearDown after a stop")
        #expect(run.printed == ["cleaned up after attempt 1", "cleaned up after attempt 2"])
    }

    @Test("a test that is listed twice and fails once has failed")
    func listedTwice() async throws {
        let run = try await run("listed twice", expecting: .failure)
        #expect(run.report.retries.map(\.outcome) == [.failed])
        #expect(run.report.retries.map(\.attemptedRetries) == [1])
        #expect(run.report.retries.first?.attempts.count == 4)
    }

    @Test("a measured block ends at its failure, as it does with XCTestCase")
    func measure() async throws {
        let plain = try await run("plain measure", expecting: .failure)
        let retryable = try await run("measure", expecting: .failure)
        func asPlain(_ lines: [String]) -> [String] {
            lines.map {
                $0.replacing("PlainMeasures", with: "Measures").replacing(
                    #/LostFailures\.swift:\d+/#,
                    with: "LostFailures.swift"
                )
            }
        }
        #expect(asPlain(retryable.output) == asPlain(plain.output))
    }

    @Test("what stops a test is no failure of it, also where XCTest reports it")
    func stopInSetUp() async throws {
        let run = try await run("stop in setUp")
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(run.report.retries.first?.attempts.first?.failures.count == 1)
    }

    @Test("what flaked is retried although a suite leaves out what was appended to it")
    func halfSuite() async throws {
        let run = try await run("suite that runs half", expecting: .failure)
        #expect(run.report.retries.map(\.outcome) == [.failed])
        #expect(run.report.retries.map(\.attemptedRetries) == [2])
    }
}
