import Foundation
import RetryCore
import RetryReport
import Testing

/// An attempt that has ended.
struct AttemptEnd {
    let attempt: Attempt
    let startedAt: Date
    let duration: Double
    /// Whether the attempt ran in a task of its own, because the test's was cancelled.
    let wasInOwnTask: Bool
    /// What ended the test and is Swift Testing's affair: a real failure, a skip, or what `#require` throws after it has
    /// recorded its issue.
    let error: (any Error)?

    /// Runs an attempt in a task of its own, because the test's is cancelled.
    static func inOwnTask(
        _ attempt: Attempt,
        in test: Test,
        since start: Date,
        _ body: @Sendable () async throws -> Void
    ) async -> AttemptEnd {
        await withoutActuallyEscaping(body) { body in
            await AttemptEnd(of: attempt, in: test, inOwnTask: true) {
                let task = Task { try await body() }
                let limit = Task { await bound(task, of: test, since: start) }
                defer { limit.cancel() }
                try await task.value
            }
        }
    }

    /// Swift Testing watches over a time limit in the task that was cancelled, so nobody does any more.
    private static func bound(_ task: Task<Void, any Error>, of test: Test, since start: Date) async {
        guard #available(macOS 13, iOS 16, tvOS 16, watchOS 9, *), let limit = test.timeLimit else { return }
        let left = max(0, Double(limit.components.seconds) - Date().timeIntervalSince(start))
        do { try await Task.sleep(nanoseconds: UInt64(left * 1_000_000_000)) } catch { return }
        Issue.record("Time limit was exceeded: \(limit)", sourceLocation: test.sourceLocation)
        task.cancel()
    }

    /// Runs an attempt to its end. A failure that flakes shows as a known issue, any other is left as it is.
    init(
        of attempt: Attempt,
        in test: Test,
        inOwnTask: Bool = false,
        _ body: @Sendable () async throws -> Void
    ) async {
        self.attempt = attempt
        wasInOwnTask = inOwnTask
        startedAt = Date()
        var thrown: (any Error)?
        await withKnownIssue(isIntermittent: true) {
            do {
                try await Attempt.$current.withValue(attempt, operation: body)
            } catch {
                thrown = error
            }
        } matching: { issue in
            attempt.observes(issue)
        }
        error = thrown.flatMap { Self.judge($0, of: attempt, in: test) }
        // A task that nobody waits for may have a section open still. Nothing retries what fails in it from now on.
        Ledger.shared.count(attempt.end(), module: test.id.moduleName)
        duration = Date().timeIntervalSince(startedAt)
    }

    /// Decides about an error that ended the test.
    ///
    /// - Returns: The error, unless it flaked.
    private static func judge(_ error: any Error, of attempt: Attempt, in test: Test) -> (any Error)? {
        guard error.isFailure else { return error }
        let sections = attempt.sectionsLeft(by: error)
        let verdict = attempt.judge(Failure(thrown: error), in: sections, refusal: Ledger.shared.refusal)
        guard case .flake(let index) = verdict else { return error }
        let comment = Comment(rawValue: Wording.comment(on: sections[index], retryCount: attempt.retryCount))
        withKnownIssue(comment, isIntermittent: true, sourceLocation: test.sourceLocation) {
            throw error
        }
        return nil
    }
}
