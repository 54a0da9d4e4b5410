import Foundation
import Testing

/// One block of Swift in a page of documentation.
struct Snippet: Sendable, CustomTestStringConvertible {
    /// The page, relative to the package.
    var page: String
    /// The line of the page on which the block begins.
    var line: Int
    var code: String

    var testDescription: String { "\(page):\(line)" }

    /// What a snippet is part of, where it is not a whole file.
    enum Kind {
        /// It imports what it needs.
        case file
        /// A part of `Package.swift`.
        case manifest
        /// Statements in a test on `RetryableTestCase`.
        case statements
        /// Statements or tests for Swift Testing.
        case testing
    }

    var kind: Kind {
        let lines = code.split(separator: "\n")
        if lines.contains(where: { $0.hasPrefix("import ") }) { return .file }
        if code.contains(".package(") || code.contains(".testTarget(") { return .manifest }
        return code.contains("#expect") || code.contains("@Test") ? .testing : .statements
    }

    /// The snippet as a file that can be compiled.
    var file: String {
        switch kind {
        case .file: code
        case .manifest: "import PackageDescription\nlet package = Package(name: \"Snippet\",\n\(code)\n)\n"
        case .statements:
            """
            import Retryable
            final class Snippet: RetryableTestCase {
                func testSnippet() async throws {
            \(code)
                }
            }
            """
        case .testing: "import Testing\nimport RetryableTesting\n\(code)"
        }
    }
}

extension Snippet {
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every snippet in README and in the documentation catalogs.
    static let all: [Snippet] = pages.flatMap { page in
        do {
            return snippets(in: try String(contentsOf: page, encoding: .utf8), of: page)
        } catch {
            // A page that cannot be read must not pass for one without snippets.
            return [Snippet(page: page.path, line: 0, code: "import Unreadable // \(error)")]
        }
    }

    private static var pages: [URL] {
        let sources = package.appendingPathComponent("Sources")
        let files =
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
            ?? []
        let articles = files.filter { $0.pathExtension == "md" && $0.path.contains(".docc/") }
        return [package.appendingPathComponent("README.md")] + articles.sorted { $0.path < $1.path }
    }

    /// The blocks that are marked as Swift.
    static func snippets(in text: String, of page: URL) -> [Snippet] {
        let name = page.path.replacingOccurrences(of: package.path + "/", with: "")
        var snippets: [Snippet] = []
        var open: Snippet?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if open == nil, line == "```swift" {
                open = Snippet(page: name, line: index + 1, code: "")
            } else if let snippet = open, line == "```" {
                snippets.append(snippet)
                open = nil
            } else {
                open?.code += line + "\n"
            }
        }
        return snippets
    }
}
