import Groundwork
import RetryCore
import RetryReport
import Testing

// A flake is to show as a known issue, with the section's reason. Swift Testing asks the matcher of every `withKnownIssue`
// around a failure, innermost first. There is one around each attempt, so that it hears of a failure only if the test itself
// does not know it. What it says beside the failure cannot be known before, so a trait that handles issues adds it.

extension Attempt {
    /// Runs the test, and shows what flakes in it as known.
    func showingFlakes(in test: Test, _ body: @Sendable () async throws -> Void) async throws {
        let comments = FlakeComments(of: self)
        try await comments.added(in: test) {
            var thrown: (any Error)?
            await withKnownIssue(isIntermittent: true) {
                // Not for the matcher: what ends a test is judged when the test has ended.
                do { try await body() } catch { thrown = error }
            } matching: { issue in
                self.holdsBack(issue, comments)
            }
            if let thrown { throw thrown }
        }
    }

    private func holdsBack(_ issue: Issue, _ comments: FlakeComments) -> Bool {
        guard issue.counts else { return false }
        let failure = Failure(issue)
        let sections = sectionsHere
        let verdict = judge(failure, in: sections, refusal: Ledger.shared.refusal)
        guard case .flake(let index) = verdict else { return false }
        comments.add(comment(on: sections[index]), to: failure)
        return true
    }

    /// What stands beside a failure that a section holds back.
    func comment(on section: Section) -> Comment {
        Comment(rawValue: Wording.comment(on: section, retryCount: retryCount))
    }
}

/// What is to stand beside flakes that Swift Testing is about to tell of.
private final class FlakeComments: Sendable {
    /// By thread: Swift Testing tells of a failure on the thread on which it has asked whether the failure is known.
    private let attempt: Attempt
    private let due = Locked<[pthread_t: (failure: Failure, comment: Comment)]>([:])

    init(of attempt: Attempt) {
        self.attempt = attempt
    }

    func add(_ comment: Comment, to failure: Failure) {
        #if compiler(>=6.2)
            due.withLock { $0[pthread_self()] = (failure, comment) }
        #else
            say(comment.rawValue)  // nothing can be added to an issue
        #endif
    }

    /// Runs a test in which the comments are added to the issues that they belong to.
    func added(in test: Test, _ body: @Sendable () async throws -> Void) async throws {
        #if compiler(>=6.2)
            let trait: IssueHandlingTrait = .compactMapIssues { [due, attempt] issue in
                // What belongs to no test is told to every handler of every test that runs, and to Swift Testing's own.
                guard Attempt.current === attempt else { return nil }
                let due = due.withLock { $0.removeValue(forKey: pthread_self()) }
                // Another trait may have left out, or changed, what was due.
                guard let due, due.failure == Failure(issue) else { return issue }
                var issue = issue
                issue.comments.append(due.comment)
                return issue
            }
            try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
        #else
            try await body()
        #endif
    }
}
