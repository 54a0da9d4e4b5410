import Groundwork
import RetryCore
import RetryReport
import Testing

/// What is to stand beside flakes when Swift Testing tells of them.
enum FlakeComments {
    /// By thread: Swift Testing tells of a failure on the thread on which it has asked whether the failure is known.
    private static let due = Locked<[pthread_t: (failure: Failure, comment: Comment)]>([:])

    /// Whether comments are added in this task.
    @TaskLocal private static var areAdded = false

    static func add(_ comment: Comment, to failure: Failure) {
        #if compiler(>=6.2)
            due.withLock { $0[pthread_self()] = (failure, comment) }
        #else
            log(comment.rawValue)  // nothing can be added to an issue
        #endif
    }

    /// Runs a suite or a test in which the comments are added to the issues that they belong to.
    ///
    /// A suite does it for all of its tests, because for each it would cost more than all else that an attempt does.
    static func added(in test: Test, _ body: @Sendable () async throws -> Void) async throws {
        #if compiler(>=6.2)
            guard !areAdded else { return try await body() }
            let trait: IssueHandlingTrait = .compactMapIssues { issue in
                // What belongs to no test is told to Swift Testing itself, and to every handler that there is.
                Test.current == nil ? nil : withComment(issue)
            }
            try await $areAdded.withValue(true) {
                try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
            }
        #else
            try await body()
        #endif
    }

    private static func withComment(_ issue: Issue) -> Issue {
        let due = due.withLock { $0.isEmpty ? nil : $0.removeValue(forKey: pthread_self()) }
        // Another trait may have left out, or changed, what was due.
        guard let due, due.failure == Failure(issue) else { return issue }
        var issue = issue
        issue.comments.append(due.comment)
        return issue
    }
}
