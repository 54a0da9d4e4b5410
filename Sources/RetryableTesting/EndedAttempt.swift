import Foundation
import RetryCore
import RetryReport
import Testing

/// An attempt that has ended.
struct EndedAttempt {
    let attempt: Attempt
    let startedAt: Date
    let duration: Double
    /// The error that is left to Swift Testing: a real failure, a skip, or what `#require` throws after it has recorded its
    /// issue.
    let error: (any Error)?

    /// Runs an attempt to its end. A failure that flakes shows as a known issue, any other is left as it is.
    init(of attempt: Attempt, in test: Test, _ body: @Sendable () async throws -> Void) async {
        self.attempt = attempt
        startedAt = Date()
        var thrown: (any Error)?
        do {
            try await attempt.showingFlakes(in: test) {
                try await Attempt.$current.withValue(attempt, operation: body)
            }
        } catch {
            thrown = error
        }
        error = thrown.flatMap { Self.judge($0, of: attempt, in: test) }
        // A task that the test did not wait for may still have a section open. What fails in it from now on is not retried.
        ProcessRun.shared.report.count(attempt.end(), module: test.id.moduleName)
        duration = Date().timeIntervalSince(startedAt)
    }

    /// Decides about an error that ended the test.
    ///
    /// - Returns: The error, unless it flaked.
    private static func judge(_ error: any Error, of attempt: Attempt, in test: Test) -> (any Error)? {
        guard !error.isSkip else { return error }
        var failure = Failure(thrown: error)
        var record: () -> Void = { Issue.record(error, sourceLocation: test.sourceLocation) }
        if let error = error as? ExpectationFailedError {
            // #require's error was recorded where it was thrown. If that was in another attempt or test, it is recorded here.
            guard attempt.failures.isEmpty else { return error }
            failure.message = "Expectation failed at \(error.expectation.sourceLocation), before this attempt"
            record = { [message = failure.message] in
                Issue.record(Comment(rawValue: message), sourceLocation: test.sourceLocation)
            }
        }
        let sections = attempt.sectionsLeft(by: error)
        switch attempt.judge(failure, in: sections, refusal: ProcessRun.shared.refusal) {
        case .flake(let index):
            withKnownIssue(Comment(rawValue: attempt.comment(on: sections[index])), isIntermittent: true, record)
            return nil
        default:
            if error is ExpectationFailedError { record() }  // Swift Testing records any other
            return error
        }
    }
}

// MARK: - In a task of its own

extension EndedAttempt {
    /// Runs an attempt in a task of its own, because the test's is cancelled.
    static func inOwnTask(
        _ attempt: Attempt,
        in test: Test,
        since start: Date,
        _ body: @Sendable () async throws -> Void
    ) async -> EndedAttempt {
        await withoutActuallyEscaping(body) { body in
            await EndedAttempt(of: attempt, in: test) {
                let task = Task { try await body() }
                let limit = Task { await bound(task, of: test, since: start) }
                defer { limit.cancel() }
                try await task.value
            }
        }
    }

    /// Enforces the time limit, because Swift Testing does so in the task that was cancelled.
    private static func bound(_ task: Task<Void, any Error>, of test: Test, since start: Date) async {
        guard #available(macOS 13, iOS 16, tvOS 16, watchOS 9, *), let limit = test.timeLimit else { return }
        let left = max(0, Double(limit.components.seconds) - Date().timeIntervalSince(start))
        do { try await Task.sleep(nanoseconds: UInt64(left * 1_000_000_000)) } catch { return }
        Issue.record("Time limit was exceeded: \(limit)", sourceLocation: test.sourceLocation)
        task.cancel()
    }
}
