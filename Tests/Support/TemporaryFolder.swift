import Foundation
import Groundwork
import RetryReport
import Testing

/// A folder for one test, removed by `defer { folder.remove() }` or by ``FolderTests``.
package struct TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("retryable-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    package var path: String { url.path }

    /// Returns the place of a file in it.
    package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// The place of the report in it.
    package var report: URL { file("retryable-retries.json") }

    /// Makes an empty file.
    package func makeFile(_ name: String) throws -> URL {
        let file = file(name)
        try Data().write(to: file)
        return file
    }

    /// All names in it, hidden ones included.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    package func remove() {
        do {
            try FileManager.default.removeItem(at: url)
        } catch CocoaError.fileNoSuchFile where FileManager.default.fileExists(atPath: path) {
            remove()  // the rest: another process has just removed a file of its own
        } catch {
            Issue.record(error)
        }
    }
}

/// Tests that each have a folder of their own.
open class FolderTests {
    package let folder: TemporaryFolder

    package init() throws { folder = try TemporaryFolder() }

    deinit { folder.remove() }
}

extension Report {
    package init(contentsOf url: URL) throws {
        try self.init(json: FilePath(url.path).read(), at: url.path)
    }
}
