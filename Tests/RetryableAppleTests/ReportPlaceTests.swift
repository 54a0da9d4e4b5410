import Foundation
import RetryReport
import TestSupport
import Testing

/// Where the report goes on Apple's systems.
@Suite("The report's place on Apple's systems", .enabled(if: ThisSystem.needsDouble))
struct ReportPlaceTests {
    @Test("it goes into the result bundle that Xcode says it writes")
    func bundle() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let bundle = folder.url.appendingPathComponent("Test.xcresult")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        let outcome = try await runProgram(
            "recovers",
            environment: [
                "RETRYABLE_REPORT": "",
                "XCTestConfigurationFilePath": "\(bundle.path)/1_Test/Demo.xctestconfiguration",
            ]
        )
        #expect(outcome.ending == .exitCode(0), "\(outcome)")
        let report = try Report(contentsOf: bundle.appendingPathComponent(ReportLocation.fileName))
        #expect(report.retries.map(\.outcome) == [.recovered])
        #expect(outcome.output.count { $0.hasPrefix("  attachment \(ReportLocation.fileName), keepAlways: ") } == 1)
    }

    @Test("the processes of one result bundle add to one report; those of another bundle begin anew")
    func processes() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let report = folder.url.appendingPathComponent(ReportLocation.fileName)
        func names(after scenario: String, in bundle: String) async throws -> [String] {
            let outcome = try await runProgram(
                scenario,
                environment: [
                    "RETRYABLE_REPORT": report.path,
                    "XCTestConfigurationFilePath":
                        "\(folder.url.path)/\(bundle).xcresult/1_Test/Demo.xctestconfiguration",
                ]
            )
            #expect(outcome.ending == .exitCode(0), "\(outcome)")
            return try Report(contentsOf: report).retries.map(\.name)
        }
        #expect(try await names(after: "recovers", in: "First") == ["-[Recovers testFlakes]"])
        #expect(try await names(after: "stops", in: "First") == ["-[Recovers testFlakes]", "-[Stops test]"])
        #expect(try await names(after: "stops", in: "Second") == ["-[Stops test]"])
    }

    @Test("it goes beside the executable if there is no bundle that can take it")
    func besideExecutable() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let outcome = try await runProgram(
            "recovers",
            called: folder.url.appendingPathComponent("Demo").path,
            environment: [
                "RETRYABLE_REPORT": "",
                "XCTestConfigurationFilePath": "/proc/none/Test.xcresult/1_Test/Demo.xctestconfiguration",
            ]
        )
        #expect(outcome.ending == .exitCode(0), "\(outcome)")
        let report = try Report(contentsOf: folder.url.appendingPathComponent(ReportLocation.fileName))
        #expect(report.retries.map(\.outcome) == [.recovered])
    }

    @Test("it is attached to each attempt if no file can take it, and the last one is complete")
    func attachment() async throws {
        let outcome = try await runProgram(
            "exhausted",
            called: "/proc/none/Demo",
            environment: ["RETRYABLE_REPORT": "", "XCTestConfigurationFilePath": ""]
        )
        #expect(outcome.ending == .exitCode(1), "\(outcome)")
        let opening = "  attachment \(ReportLocation.fileName), keepAlways: "
        let reports = try outcome.output.filter { $0.hasPrefix(opening) }.map { line in
            try Report(json: Array(line.dropFirst(opening.count).replacing("⏎", with: "\n").utf8))
        }
        #expect(reports.map { $0.retries.map(\.outcome) } == [[.pending], [.pending], [.failed]])
        #expect(reports.last?.retries.first?.attempts.map(\.outcome) == [.flaked, .flaked, .failed])
        #expect(outcome.errorOutput.contains { $0.contains("their report does not") })
    }
}
