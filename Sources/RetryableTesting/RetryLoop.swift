import Foundation
import RetryCore
import RetryReport
import Testing

/// Attempts one test case again and again, until an attempt does not flake or no retry is left.
///
/// Swift Testing offers no moment after all tests, so a retry follows at once, inside the same test case: what is
/// serialized stays so, and a time limit bounds all attempts together.
struct RetryLoop {
    private let test: Test
    private let name: TestName
    /// Whether an attempt has cancelled the test, as a test does that skips itself. What it flaked with stands, and is retried
    /// in tasks of their own.
    private var hasCancelledItself = false

    /// Whether the test was cancelled from elsewhere, such as by a time limit. Then there is no time for a retry, and what
    /// flaked must not pass for recovered.
    private var isCancelled: Bool { Task.isCancelled && !hasCancelledItself }

    /// Runs the attempts of a test case. Inside an attempt it only runs what it is given: a test may have the trait from
    /// several suites.
    static func run(
        _ test: Test,
        _ testCase: Test.Case?,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        guard Attempt.current == nil else { return try await body() }
        let number = TestsInProgress.start(test, testCase)
        defer { TestsInProgress.finish(number) }
        let first = await EndedAttempt(of: Attempt(retryCount: 0), in: test, body)
        guard let flake = first.attempt.flake else {
            // What most tests do: nothing flaked, so nothing is written, named or said.
            if let error = first.error { throw error }
            return
        }
        var loop = RetryLoop(test: test, name: CaseName.of(test, testCase))
        try await loop.go(on: flake, after: first, body)
    }

    private mutating func go(
        on flake: Flake,
        after first: EndedAttempt,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        var last = first
        var flake = flake
        var earlier: [Attempt] = []
        while await prepareRetry(after: last, flakedWith: flake) {
            earlier.append(last.attempt)
            let next = Attempt(retryCount: last.attempt.retryCount + 1)
            last =
                hasCancelledItself
                ? await .inOwnTask(next, in: test, since: first.startedAt, body)
                : await EndedAttempt(of: next, in: test, body)
            guard let again = next.flake else {
                // What an earlier attempt has left behind may have failed since.
                for attempt in earlier where attempt.hasFailed { next.fail(with: attempt.failures.last) }
                settle(last, flakedWith: flake)
                break
            }
            flake = again
        }
        if let error = last.error { throw error }
    }

    /// Accounts for an attempt that flaked, and waits as long as is asked for.
    ///
    /// - Returns: Whether another attempt follows.
    private mutating func prepareRetry(after end: EndedAttempt, flakedWith flake: Flake) async -> Bool {
        if end.attempt.hasFailed {
            log("\(name.name): \(end.attempt.announcement(of: flake, isRetried: false))")
            // What failed outside may yet be known to a trait around this one, or filtered out; the flake is not.
            fail(end, like: flake, "and failed outside, too: not retried")
            return false
        }
        if end.error?.isTestCancel == true { hasCancelledItself = true }
        if !isCancelled {
            report(end)
            await waitBeforeRetry()
        }
        guard isCancelled else { return true }
        fail(end, like: flake, "and was cancelled before a retry")
        return false
    }

    /// Decides about a retry that did not flake again.
    private func settle(_ end: EndedAttempt, flakedWith flake: Flake) {
        if end.attempt.hasFailed {
            report(end)
        } else if end.error?.isSkip == true || isCancelled {
            if end.error != nil { end.attempt.skip() }
            fail(end, like: flake, "and the retry was cancelled")
        } else if !end.attempt.hasComeToSection {
            // All that tells whether the test ran: a trait inside of this one may have left it out.
            fail(end, like: flake, "and the retry did not come to a flaky section")
        } else {
            if let failure = end.attempt.failureThoughRecovered(from: flake) { record(failure) }
            report(end)
        }
    }

    /// Fails the test where it had flaked, and accounts for it.
    private func fail(_ end: EndedAttempt, like flake: Flake, _ what: String) {
        record(flake.failure(because: what))
        end.attempt.fail(with: nil)
        report(end)
    }

    private func record(_ failure: Failure) {
        Issue.record(
            Comment(rawValue: failure.message),
            sourceLocation: SourceLocation(failure, module: test.id.moduleName)
        )
    }

    private func report(_ end: EndedAttempt) {
        ProcessRun.shared.report.record(end.attempt, of: name, since: end.startedAt, duration: end.duration)
    }

    private func waitBeforeRetry() async {
        let delay = ProcessRun.shared.settings.retryDelay
        guard delay > 0 else { return }
        ProcessRun.shared.noteDelay()
        try? await Task.sleep(nanoseconds: UInt64(delay * 1_000_000_000))  // it throws if the test is cancelled
    }
}
