import Foundation
import RetryReport

/// A file that SwiftPM wrote (`swift test --xunit-output`).
struct SwiftPMFile {
    let name: String
    let bytes: [UInt8]
    var writtenAt: Date?

    /// What is said of a file that cannot be read.
    func unreadable(_ problem: XMLScanner.Problem) -> ReportFileError {
        ReportFileError(path: name, cause: "cannot be read: it is no file of test results: \(problem)")
    }
}

extension XMLScanner.Problem {
    static let noSuite = Self(description: "there is no <testsuite> in it")
}
