import Foundation
import RetryReport
import TestSupport
import Testing

/// Where the report goes on Apple's systems.
@Suite("The report's place on Apple's systems", .enabled(if: AppleCheckout.needsDouble))
struct ReportPlaceTests {
    @Test("it goes into the result bundle that Xcode says it writes")
    func bundle() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let bundle = folder.url.appendingPathComponent("Test.xcresult")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        let outcome = try runProgram(
            "recovers",
            environment: [
                "RETRYABLE_REPORT": "",
                "XCTestConfigurationFilePath": "\(bundle.path)/1_Test/Demo.xctestconfiguration",
            ]
        )
        #expect(outcome.exitCode == 0, "\(outcome)")
        let report = try Report(contentsOf: bundle.appendingPathComponent(ReportLocation.fileName))
        #expect(report.retries.map(\.outcome) == [.recovered])
        #expect(!outcome.output.contains { $0.contains(ReportLocation.fileName) })
    }

    @Test("the processes of one result bundle add to one report; those of another bundle begin anew")
    func processes() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let report = folder.url.appendingPathComponent(ReportLocation.fileName)
        func names(after scenario: String, in bundle: String) throws -> [String] {
            let outcome = try runProgram(
                scenario,
                environment: [
                    "RETRYABLE_REPORT": report.path,
                    "XCTestConfigurationFilePath":
                        "\(folder.url.path)/\(bundle).xcresult/1_Test/Demo.xctestconfiguration",
                ]
            )
            #expect(outcome.exitCode == 0, "\(outcome)")
            return try Report(contentsOf: report).retries.map(\.name)
        }
        #expect(try names(after: "recovers", in: "First") == ["-[Recovers testFlakes]"])
        #expect(try names(after: "stops", in: "First") == ["-[Recovers testFlakes]", "-[Stops test]"])
        #expect(try names(after: "stops", in: "Second") == ["-[Stops test]"])
    }

    @Test("it goes beside the executable if there is no bundle that can take it")
    func besideExecutable() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let outcome = try runProgram(
            "recovers",
            called: folder.url.appendingPathComponent("Demo").path,
            environment: [
                "RETRYABLE_REPORT": "",
                "XCTestConfigurationFilePath": "/proc/none/Test.xcresult/1_Test/Demo.xctestconfiguration",
            ]
        )
        #expect(outcome.exitCode == 0, "\(outcome)")
        let report = try Report(contentsOf: folder.url.appendingPathComponent(ReportLocation.fileName))
        #expect(report.retries.map(\.outcome) == [.recovered])
    }

    @Test("it is attached to each attempt if no file can take it, and the last one is complete")
    func attachment() throws {
        let outcome = try runProgram(
            "exhausted",
            called: "/proc/none/Demo",
            environment: ["RETRYABLE_REPORT": "", "XCTestConfigurationFilePath": ""]
        )
        #expect(outcome.exitCode == 1, "\(outcome)")
        let opening = "  attachment \(ReportLocation.fileName), keepAlways: "
        let reports = try outcome.output.filter { $0.hasPrefix(opening) }.map { line in
            try Report(json: Array(line.dropFirst(opening.count).replacing("⏎", with: "\n").utf8))
        }
        #expect(reports.map { $0.retries.map(\.outcome) } == [[.pending], [.pending], [.failed]])
        #expect(reports.last?.retries.first?.attempts.map(\.outcome) == [.flaked, .flaked, .failed])
        #expect(outcome.errorOutput.contains { $0.contains("their report does not") })
    }
}
