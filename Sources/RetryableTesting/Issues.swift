import RetryCore
import RetryReport
import Testing

// A failure that a section holds shows as a known issue, with the mark's reason; to compose more would cost each section that
// passes. Swift Testing asks the matcher of every `withKnownIssue` around a failure, innermost first, on the task that records it.

extension OpenSection {
    /// Runs the section.
    ///
    /// - Parameter rescue: Throws the error that it is handed. An error may not pass through `withKnownIssue`, which takes
    ///   it for an issue, so it is caught inside and thrown again outside, in the same box.
    func run<R>(_ body: () throws -> R, rescue: (any Error) throws -> R) rethrows -> R {
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
    func run<R>(
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
            // What fails in a section is noted there. An error may pass through a `withKnownIssue` of the test's own that asks
            // this, and be recorded by nobody.
            if issue.counts, issue.error == nil, OpenSection.innermost == nil { self.noteReal(Failure(issue)) }
            return false
        }
        return thrown
    }
}

extension Failure {
    init(_ issue: Issue) {
        func message(_ what: String) -> String {
            ([what] + issue.comments.map(\.rawValue)).joined(separator: ": ")
        }
        let frameworkMessage = message("\(issue.kind)")
        self.init(
            message: issue.kind.failedExpectation.map { message("Expectation failed: \($0)") } ?? frameworkMessage,
            file: issue.sourceLocation?.path,
            line: issue.sourceLocation?.line,
            kind: issue.error == nil ? .assertion : .error
        )
        self.frameworkMessage = frameworkMessage
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
