import RetryCore
import RetryReport
import Testing

// A failure that a section holds shows as a known issue, with the mark's reason. Swift Testing asks the matcher of every
// `withKnownIssue` around a failure, innermost first, on the task that records it.

extension Attempt {
    /// The attempt that a task is part of; `nil` in tests that did not opt in, in detached tasks, and on threads that
    /// run no task.
    @TaskLocal static var current: Attempt?

    /// Runs a section.
    ///
    /// - Parameter rescue: Throws the error that it is handed. An error may not pass through `withKnownIssue`, which takes
    ///   it for an issue, so it is caught inside and thrown again outside, in the same box.
    func show<R>(
        _ mark: Flakiness,
        at sourceLocation: SourceLocation,
        _ body: () throws -> R,
        rescue: (any Error) throws -> R
    ) rethrows -> R {
        let section = open(mark, at: sourceLocation.callSite)
        defer { close(section) }
        var result: Result<R, any Error> = .failure(BodyDidNotRun())
        withKnownIssue(mark.comment, isIntermittent: true, sourceLocation: sourceLocation) {
            OpenSection.$innermost.withValue(section) { result = Result(catching: body) }
        } matching: { issue in
            section.attempt.holds(issue, in: section)
        }
        switch result {
        case .success(let value): return value
        case .failure(let error):
            note(error, leaving: section)
            return try rescue(error)
        }
    }

    /// Runs a section that suspends, on the caller's actor.
    func show<R>(
        _ mark: Flakiness,
        at sourceLocation: SourceLocation,
        isolation: isolated (any Actor)?,
        _ body: () async throws -> R,
        rescue: (any Error) throws -> R
    ) async rethrows -> R {
        let section = open(mark, at: sourceLocation.callSite)
        defer { close(section) }
        var result: Result<R, any Error> = .failure(BodyDidNotRun())
        await withKnownIssue(mark.comment, isIntermittent: true, isolation: isolation, sourceLocation: sourceLocation) {
            await OpenSection.$innermost.withValue(
                section,
                operation: {
                    _ = isolation  // a closure stays on an actor that it names
                    do { result = .success(try await body()) } catch { result = .failure(error) }
                },
                isolation: isolation
            )
        } matching: { issue in
            section.attempt.holds(issue, in: section)
        }
        switch result {
        case .success(let value): return value
        case .failure(let error):
            note(error, leaving: section)
            return try rescue(error)
        }
    }

    private func holds(_ issue: Issue, in section: OpenSection) -> Bool {
        // A bad mark is recorded outside of all sections.
        issue.counts && OpenSection.stack.contains { $0 === section } && holds(Failure(issue), in: section)
    }

    /// Runs the test, and notes what is recorded outside of its sections.
    ///
    /// - Returns: The error that ended it.
    func noteRealIssues(_ body: @Sendable () async throws -> Void) async -> (any Error)? {
        var thrown: (any Error)?
        await withKnownIssue(isIntermittent: true) {
            do {
                try await Attempt.$current.withValue(self, operation: body)
            } catch {
                thrown = error
            }
        } matching: { issue in
            // An error may pass through a `withKnownIssue` of the test's own that asks this, and be recorded by nobody.
            if issue.counts, issue.error == nil { self.noteReal(Failure(issue)) }
            return false
        }
        return thrown
    }

    private struct BodyDidNotRun: Error {}
}

extension Flakiness {
    /// The words beside a failure that is held. Not composed, because each section that passes would pay for it.
    var comment: Comment { Comment(rawValue: reason) }
}

extension Failure {
    init(_ issue: Issue) {
        let comments = issue.comments.map(\.rawValue)
        self.init(
            message: (["\(issue.kind)"] + comments).joined(separator: ": "),
            file: issue.sourceLocation?.path,
            line: issue.sourceLocation?.line,
            kind: issue.error == nil ? .assertion : .error
        )
    }

    /// An error that ends a test; Swift Testing knows no place for it either.
    init(thrown error: any Error) {
        self.init(unplaced: "\(Issue.Kind.errorCaught(error))")
    }
}

extension Issue {
    /// This issue fails a test; a warning does not.
    var counts: Bool {
        #if compiler(>=6.3)
            severity >= .error
        #else
            true
        #endif
    }
}

extension SourceLocation {
    var callSite: CallSite { .testing(path, line) }

    var path: String {
        #if compiler(>=6.3)
            filePath
        #else
            _filePath
        #endif
    }

    /// The place of a failure in a test of this module.
    init(_ failure: Failure, module: String) {
        let path = failure.file ?? ""
        let name = path.split(separator: "/").last ?? "unknown"
        self.init(fileID: "\(module)/\(name)", filePath: path, line: max(failure.line ?? 1, 1), column: 1)
    }
}
