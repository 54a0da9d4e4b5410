import Foundation
import TestSupport
import Testing

/// Where the sources may ask which XCTest they run on.
@Suite("The platforms")
struct PlatformTests {
    private static let sources = Checkout.root.appendingPathComponent("Sources")

    @Test("no source asks about XCTest or Objective-C outside a folder named Platform")
    func conditions() throws {
        var files = 0
        for file in try Self.swiftFiles(below: Self.sources) where !file.contains("/Platform/") {
            files += 1
            let condition = #"(?m)^\s*#(if|elseif)\b.*\b(XCTest|ObjectiveC|XCTestCore)\b"#
            let source = try String(contentsOfFile: file, encoding: .utf8)
            #expect(source.range(of: condition, options: .regularExpression) == nil, "\(file)")
        }
        #expect(files > 20)
    }

    @Test(
        "a file of one platform is all within one condition",
        arguments: [("Apple", "#if canImport(ObjectiveC)"), ("Corelibs", "#if !canImport(ObjectiveC)")]
    )
    func wholly(platform: String, condition: String) throws {
        let folder = Self.sources.appendingPathComponent("Retryable/Platform/\(platform)")
        let files = try Self.swiftFiles(below: folder)
        #expect(!files.isEmpty)
        for file in files {
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.first == condition[...], "\(file)")
            #expect(lines.last == "#endif", "\(file)")
            #expect(lines.count { $0.hasPrefix("#") } == 2, "\(file)")
        }
    }

    private static func swiftFiles(below folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
            .map { "\(folder.path)/\($0)" }
    }
}
