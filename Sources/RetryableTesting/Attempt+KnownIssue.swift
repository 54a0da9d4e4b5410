import RetryCore
import RetryReport
import Testing

// A flake shows as a known issue, with the section's reason. Swift Testing asks the matcher of every `withKnownIssue`
// around a failure, innermost first. There is one around each attempt, so it is asked only about failures that the test
// itself does not declare as known. The comment depends on the failure, so FlakeComments adds it afterwards.

extension Attempt {
    /// Runs the test, and shows what flakes in it as known.
    func showingFlakes(in test: Test, _ body: @Sendable () async throws -> Void) async throws {
        try await FlakeComments.added(in: test) {
            var thrown: (any Error)?
            await withKnownIssue(isIntermittent: true) {
                // Not for the matcher: what ends a test is judged when the test has ended.
                do { try await body() } catch { thrown = error }
            } matching: { issue in
                self.suppresses(issue)
            }
            if let thrown { throw thrown }
        }
    }

    private func suppresses(_ issue: Issue) -> Bool {
        guard issue.counts else { return false }
        let failure = Failure(issue)
        let sections = sectionsHere
        let verdict = judge(failure, in: sections, refusal: ProcessRun.shared.refusal)
        guard case .flake(let index) = verdict else { return false }
        FlakeComments.add(Comment(rawValue: comment(on: sections[index])), to: failure)
        return true
    }
}
