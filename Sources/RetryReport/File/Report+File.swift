import Foundation

extension Report {
    /// Reads a report from a file; an error names the file, the key and the trouble.
    package init(contentsOf url: URL) throws(ReportFileError) {
        do {
            self = try Report(json: DiskFile(path: url.path).bytes())
        } catch {
            throw ReportFileError(path: url.path, cause: "cannot be read: \(error)")
        }
    }
}
