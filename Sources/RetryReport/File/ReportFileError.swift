/// A report that cannot be read or written: which, and why.
package struct ReportFileError: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    package let cause: String

    package init(path: String, cause: String) {
        self.path = path
        self.cause = cause
    }

    package var description: String { "the report \(path) \(cause)" }
}
