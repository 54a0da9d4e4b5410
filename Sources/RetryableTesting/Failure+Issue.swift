import RetryCore
import RetryReport
import Testing

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

    /// What an error becomes that ends a test; Swift Testing knows no place for it either.
    init(thrown error: any Error) {
        self.init(unplaced: "\(Issue.Kind.errorCaught(error))")
    }
}

extension Issue {
    /// Whether this issue fails a test that knows nothing of it; a warning does not.
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

    /// Where a test of this module failed.
    init(_ failure: Failure, module: String) {
        let path = failure.file ?? ""
        let name = path.split(separator: "/").last ?? "unknown"
        self.init(fileID: "\(module)/\(name)", filePath: path, line: max(failure.line ?? 1, 1), column: 1)
    }
}

extension Error {
    /// Whether this error ends a test without a failure: `Test.cancel` throws one, and what a cancelled task throws is taken
    /// for the same.
    var isSkip: Bool { isTestCancel || (self is CancellationError && Task.isCancelled) }
}
