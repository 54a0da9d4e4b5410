import RetryCore
import RetryReport
import Testing

extension Attempt {
    /// The attempt that a task is part of; `nil` in tests that did not opt in, in detached tasks, and on threads that
    /// run no task.
    @TaskLocal static var current: Attempt?

    /// Runs the test, and notes what is recorded outside of its sections.
    ///
    /// - Returns: The error that ended it.
    func runNotingRealIssues(_ body: @Sendable () async throws -> Void) async -> (any Error)? {
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
}
