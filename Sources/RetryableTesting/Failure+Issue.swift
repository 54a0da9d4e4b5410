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
        self.init(message: "\(Issue.Kind.errorCaught(error))", file: nil, line: nil, kind: .error)
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

    /// A line of a file, in the module of a test.
    init(path: String, line: Int, module: String) {
        let name = path.split(separator: "/").last ?? "unknown"
        self.init(fileID: "\(module)/\(name)", filePath: path, line: max(line, 1), column: 1)
    }
}

extension Error {
    /// Whether this error ends a test without a failure: `Test.cancel` throws one, and what a cancelled task throws is taken
    /// for the same.
    var isSkip: Bool { isTestCancel || (self is CancellationError && Task.isCancelled) }
}
