import Foundation

package struct ReportLocation {
    package var url: URL; package var wasAskedFor: Bool
    package static func resolve(environment: [String: String], executable: URL, workingDirectory: URL) -> ReportLocation
    {
        if let p = environment["RETRYABLE_REPORT"] { return .init(url: URL(fileURLWithPath: p), wasAskedFor: true) }
        return .init(
            url: executable.deletingLastPathComponent().appendingPathComponent("retryable-retries.json"),
            wasAskedFor: false
        )
    }
}
package enum RunIdentity { package static func current(environment: [String: String]) -> String { "x" } }
package struct ReportFileError: Error {}
package final class ReportFile: Sendable {
    package init(url: URL, run: Report.Run) {}
    package func open() throws(ReportFileError) {}
    package func update(_ r: Retry) throws(ReportFileError) {}
    package func updateSoon(_ r: Retry) throws(ReportFileError) {}
    package func add(_ r: Step) throws(ReportFileError) {}
    package func close() throws(ReportFileError) {}
}
extension Report { package init(contentsOf url: URL) throws { self.init() } }
