import RetryCore
import RetryReport
import Testing

// A failure in a section is to show as a known issue, with the section's reason. Swift Testing asks the matcher of
// every `withKnownIssue` around a failure, innermost first, and the first to say yes gives its comment. So each section
// has a `withKnownIssue` of its own, and takes what it holds back; the one around the attempt hears of all the rest.
//
// An error that leaves a section must not be taken here: the test may still catch it. It is caught before
// `withKnownIssue` sees it, and thrown again after.

extension Attempt {
    /// Runs the code of a section that was just entered.
    func held<R>(_ body: () throws -> R) rethrows -> R {
        try held(body, rescue: { throw $0 })
    }

    /// The closure `rescue` lets a function that `rethrows` throw what it has kept for a while.
    private func held<R>(_ body: () throws -> R, rescue: (any Error) throws -> R) rethrows -> R {
        var outcome: Result<R, any Error>?
        let matcher = matcherHere
        withKnownIssue(commentHere, isIntermittent: true) {
            do { outcome = .success(try body()) } catch { outcome = .failure(error) }
        } matching: { issue in
            matcher(issue)
        }
        switch outcome {
        case .success(let value): return value
        case .failure(let error): return try rescue(error)
        case nil: return try body()  // does not occur: `withKnownIssue` runs what it is given
        }
    }

    /// Runs the code of a section that was just entered and suspends, on the caller's actor.
    func held<R>(
        isolation: isolated (any Actor)?,
        _ body: () async throws -> R
    ) async throws -> R {
        var outcome: Result<R, any Error>?
        let matcher = matcherHere
        await withKnownIssue(commentHere, isIntermittent: true, isolation: isolation) {
            do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        } matching: { issue in
            matcher(issue)
        }
        guard let outcome else { return try await body() }  // as above
        return try outcome.get()
    }

    /// Runs the code of a section that was just entered, suspends and cannot throw, on the caller's actor.
    func held<R>(
        isolation: isolated (any Actor)?,
        _ body: () async -> R
    ) async -> R {
        var value: R?
        let matcher = matcherHere
        await withKnownIssue(commentHere, isIntermittent: true, isolation: isolation) {
            value = await body()
        } matching: { issue in
            matcher(issue)
        }
        if let value { return value }
        return await body()  // as above
    }

    /// Takes the failures that the section which was just entered holds back.
    private var matcherHere: KnownIssueMatcher {
        let section = sectionHere
        return { issue in
            guard issue.counts, let section, self.holderHere?.id == section.id else { return false }
            if case .flake = self.judge(Failure(issue), refusal: Ledger.shared.refusal) { return true }
            return false
        }
    }

    private var commentHere: Comment? {
        sectionHere.map { Comment(rawValue: Wording.comment(on: $0, retryCount: retryCount)) }
    }

    /// Takes note of a failure that no section holds back.
    ///
    /// - Returns: `false`: it is left to Swift Testing as it is.
    func observes(_ issue: Issue) -> Bool {
        if issue.counts, holderHere == nil { _ = judge(Failure(issue)) }
        return false
    }
}
