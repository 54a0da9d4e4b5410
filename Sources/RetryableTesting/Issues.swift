import Groundwork
import RetryCore
import RetryReport
import Testing

// A failure that a section holds shows as a known issue, with the mark's reason. Swift Testing asks the matcher of every
// `withKnownIssue` around a failure, innermost first, on the task that records it.

/// One call of `flaky`: a section of an attempt, or one without effect, because the test has not opted in.
struct FlakyCall: Sendable {
    private let section: OpenSection?
    private let mark: Flakiness
    private let sourceLocation: SourceLocation

    /// - Parameter attempt: The attempt of the task; `nil` if its test has not opted in.
    init(_ mark: Flakiness, in attempt: Attempt?, at sourceLocation: SourceLocation) {
        section = attempt?.open(mark, at: sourceLocation.callSite)
        self.mark = mark
        self.sourceLocation = sourceLocation
        if section == nil { OptingIn.advise(on: sourceLocation) }
    }

    /// Runs the section.
    ///
    /// - Parameter rescue: Throws the error that it is handed. An error may not pass through `withKnownIssue`, which takes
    ///   it for an issue, so it is caught inside and thrown again outside, in the same box.
    func run<R>(_ body: () throws -> R, rescue: (any Error) throws -> R) rethrows -> R {
        defer { close() }
        var result: Result<R, any Error> = .failure(BodyDidNotRun())
        withKnownIssue(mark.comment, isIntermittent: true, sourceLocation: sourceLocation) {
            OpenSection.$innermost.withValue(section) { result = Result(catching: body) }
        } matching: { issue in
            holds(issue)
        }
        switch result {
        case .success(let value): return value
        case .failure(let error):
            note(error)
            return try rescue(error)
        }
    }

    /// Runs a section that suspends, on the caller's actor.
    func run<R>(
        isolation: isolated (any Actor)?,
        _ body: () async throws -> R,
        rescue: (any Error) throws -> R
    ) async rethrows -> R {
        defer { close() }
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
            holds(issue)
        }
        switch result {
        case .success(let value): return value
        case .failure(let error):
            note(error)
            return try rescue(error)
        }
    }

    private func holds(_ issue: Issue) -> Bool {
        guard issue.counts else { return false }
        guard let section else {
            OptingIn.advise(on: issue, in: sourceLocation)
            return false
        }
        // A bad mark is recorded outside of all sections.
        guard OpenSection.stack.contains(where: { $0 === section }) else { return false }
        return section.attempt.holds(Failure(issue), in: section)
    }

    private func note(_ error: any Error) {
        if let section { section.attempt.note(error, leaving: section) }
    }

    private func close() {
        if let section { section.attempt.close(section) }
    }

    private struct BodyDidNotRun: Error {}
}

/// The advice where `flaky` has no effect.
private enum OptingIn {
    private static let advised = Locked<Set<SourceLocation>>([])

    /// Logs once for each section that it has no effect, and why.
    static func advise(on section: SourceLocation) {
        guard advised.withLock({ $0.insert(section).inserted }) else { return }
        log("flaky at \(place(section)) has no effect: \(cause)")
    }

    static func advise(on issue: Issue, in section: SourceLocation) {
        let failure = issue.sourceLocation.map(place) ?? "an unknown place"
        log("the failure at \(failure) is not retried, because flaky at \(place(section)) has no effect: \(cause)")
    }

    private static func place(_ location: SourceLocation) -> String {
        "\(ProcessRun.shared.relative(location.path)):\(location.line)"
    }

    private static var cause: String {
        guard let test = Test.current else {
            return "it runs in no task of a test; call it in the test itself, not in a detached task or on a thread, "
                + "and in an XCTest case call that of RetryableTestCase"
        }
        if test.traits.contains(where: { $0 is RetryableTrait || $0 is FlakyTrait }) {
            return "it runs outside of the test, in a trait before .retryable"
        }
        return "the test is not in a @Suite(.retryable)"
    }
}

extension Attempt {
    /// The attempt that a task is part of; `nil` in tests that did not opt in, in detached tasks, and on threads that
    /// run no task.
    @TaskLocal static var current: Attempt?

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
}

extension Flakiness {
    /// The comment on a suppressed failure: the reason alone, because composing more would cost each section that passes.
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
