import RetryCore
import RetryReport
import Testing

// A failure that a section holds shows as a known issue, with the mark's reason; to compose more would cost each section that
// passes. Swift Testing asks the matcher of every `withKnownIssue` around a failure, innermost first, on the task that records it.
// When the test has ended, `RetryLoop.run` looks at the attempt's flake.

extension OpenSection {
    /// Runs a section of no test, once in a process, for the reason that ``Attempt/warmUp`` gives.
    static let first: Void = Attempt(retryCount: 0).open(.fixable(reason: ""), at: .testing("", 0))
        .runAsKnownIssue({}, rescue: { _ in })

    /// Runs the section.
    ///
    /// - Parameter rescue: Throws the error that it is handed. An error may not pass through `withKnownIssue`, which takes
    ///   it for an issue, so it is caught inside and thrown again outside, in the same box.
    func runAsKnownIssue<R>(_ body: () throws -> R, rescue: (any Error) throws -> R) rethrows -> R {
        var value: R?
        var thrown: (any Error)?
        withKnownIssue(Comment(rawValue: section.mark.reason), isIntermittent: true) {
            OpenSection.$innermost.withValue(self) {
                do { value = try body() } catch { thrown = error }
            }
        } matching: { issue in
            self.holds(issue)
        }
        return try close(value, thrown, rescue)
    }

    /// Runs a section that suspends, on the caller's actor.
    func runAsKnownIssue<R>(
        isolation: isolated (any Actor)?,
        _ body: () async throws -> R,
        rescue: (any Error) throws -> R
    ) async rethrows -> R {
        var value: R?
        var thrown: (any Error)?
        await withKnownIssue(Comment(rawValue: section.mark.reason), isIntermittent: true, isolation: isolation) {
            await OpenSection.$innermost.withValue(
                self,
                operation: {
                    _ = isolation  // a closure stays on an actor that it names
                    do { value = try await body() } catch { thrown = error }
                },
                isolation: isolation
            )
        } matching: { issue in
            self.holds(issue)
        }
        return try close(value, thrown, rescue)
    }

    private func close<R>(_ value: R?, _ thrown: (any Error)?, _ rescue: (any Error) throws -> R) rethrows -> R {
        attempt.close(self)
        if let value { return value }
        let error = thrown ?? BodyDidNotRun()
        attempt.note(error, leaving: self)
        return try rescue(error)
    }

    private func holds(_ issue: Issue) -> Bool {
        // A bad mark is recorded outside of all sections.
        guard issue.counts, OpenSection.innermost != nil else { return false }
        if Attempt.current == nil { OptingIn.advise(on: issue, inSectionAt: section.place) }
        let failure = Failure(issue)
        if attempt.suppress(failure, in: self) { return true }
        // A `withKnownIssue` of the test's own, around the section, may take this issue before the attempt's does. (An error may
        // also pass through one in the section, which is documented.)
        if outer == nil { attempt.noteReal(failure) }
        return false
    }

    private struct BodyDidNotRun: Error {}
}
