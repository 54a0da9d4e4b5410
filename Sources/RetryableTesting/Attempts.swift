import Foundation
import RetryCore
import RetryReport
import Testing

/// The attempts of one test case, one after the other, until one needs no other.
///
/// Swift Testing has no place behind all tests where a retry could run, so it follows at once, inside the same test
/// case: what is serialized stays so, and a time limit bounds all attempts together.
struct Attempts {
    private let test: Test
    private let testCase: Test.Case?
    private let name: TestName

    /// Runs a test case until an attempt needs no other. In an attempt already, it only runs what it is given: a test
    /// may have the trait from several suites.
    static func run(
        _ test: Test,
        _ testCase: Test.Case?,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        guard Attempt.current == nil else { return try await body() }
        let first = await AttemptEnd(of: Attempt(retryCount: 0), in: test, body)
        guard let flake = first.attempt.flake else {
            // What most tests do: nothing flaked, so nothing is written, named or said.
            if let error = first.error { throw error }
            return
        }
        try await Attempts(test: test, testCase: testCase, name: CaseName.of(test, testCase))
            .go(on: flake, after: first, body)
    }

    private func go(
        on flake: Flake,
        after first: AttemptEnd,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        var last = first
        var flake = flake
        while canRetry(last, flake) {
            record(last, flake: flake, .flaked, outcome: .pending)
            let hasCancelledItself = Task.isCancelled
            await waitBeforeRetry()
            if Task.isCancelled, !hasCancelledItself {
                failAsCancelled(last, flake: flake)
                break
            }
            let next = Attempt(retryCount: last.attempt.retryCount + 1)
            last =
                Task.isCancelled
                ? await .inOwnTask(next, in: test, since: first.startedAt, body)
                : await AttemptEnd(of: next, in: test, body)
            guard let again = next.flake else {
                settle(last, flakedWith: flake)
                break
            }
            flake = again
        }
        if let error = last.error { throw error }
    }

    /// Whether another attempt follows one that flaked; accounts for it if none does.
    private func canRetry(_ end: AttemptEnd, _ flake: Flake) -> Bool {
        if end.attempt.hasFailed {
            record(end, flake: flake, .failed, outcome: .failed)
            let count = end.attempt.failures.count
            say("\(name.name): \(Wording(flake, failureCount: count, retryCount: end.attempt.retryCount).notRetried)")
            // What failed outside may yet be known to a trait around this one, or filtered out; the flake is not.
            fail("\(flake.failure.message) (it flaked with this, and failed outside, too: not retried)", like: flake)
            return false
        }
        // A test that cancels itself has skipped, and its flake stands. If the task was cancelled from elsewhere, such
        // as by a time limit, there is no time for a retry, and what flaked must not pass for recovered.
        if Task.isCancelled, end.error?.isTestCancel != true, !end.wasInOwnTask {
            failAsCancelled(end, flake: flake)
            return false
        }
        return true
    }

    private func failAsCancelled(_ end: AttemptEnd, flake: Flake) {
        fail("\(flake.failure.message) (it flaked with this, and was cancelled before a retry)", like: flake)
        record(end, flake: flake, .failed, outcome: .failed)
    }

    /// Accounts for a retry that did not flake again.
    private func settle(_ end: AttemptEnd, flakedWith flake: Flake) {
        if end.attempt.hasFailed {
            record(end, flake: nil, .failed, outcome: .failed)
        } else if end.error?.isSkip == true || (Task.isCancelled && !end.wasInOwnTask) {
            fail("\(flake.failure.message) (it flaked with this, and the retry was cancelled)", like: flake)
            record(end, flake: nil, end.error == nil ? .failed : .skipped, outcome: .failed)
        } else {
            if Ledger.shared.mode.failsOnFlaky {
                Ledger.shared.noteFailureOfRecovered()
                let reason = flake.section.mark.reason
                let retry = end.attempt.retryCount
                fail(
                    "recovered on retry \(retry), which RETRYABLE_FAIL_ON_FLAKY=1 counts as failed: \(reason)",
                    like: flake
                )
            }
            record(end, flake: nil, .passed, outcome: .recovered)
        }
    }

    /// Fails the test where it had flaked.
    private func fail(_ message: String, like flake: Flake) {
        Issue.record(
            Comment(rawValue: message),
            sourceLocation: SourceLocation(
                path: flake.failure.file ?? "\(flake.section.file)",
                line: flake.failure.line ?? flake.section.place.line,
                module: test.id.moduleName
            )
        )
    }

    private func record(_ end: AttemptEnd, flake: Flake?, _ attempt: Retry.Attempt.Outcome, outcome: Retry.Outcome) {
        Ledger.shared.record(
            name,
            flake: flake,
            attempt: Retry.Attempt(
                number: end.attempt.retryCount + 1,
                outcome: attempt,
                startedAt: end.startedAt,
                duration: end.duration,
                failures: end.attempt.failures
            ),
            outcome: outcome
        )
    }

    private func waitBeforeRetry() async {
        let delay = Ledger.shared.mode.retryDelay
        guard delay > 0 else { return }
        Ledger.shared.noteDelay()
        do {
            try await Task.sleep(nanoseconds: UInt64(delay * 1_000_000_000))
        } catch {
            // Cancelled: the attempt that follows says so.
        }
    }
}
