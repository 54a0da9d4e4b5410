import Foundation
import RetryReport
import Testing

/// The user's own package, driven by the real `swift test`.
@Suite("The demo package", .serialized)
struct DemoTests {
    @Test("ends green and leaves a report of what flaked", arguments: [[], ["--parallel"]])
    func green(arguments: [String]) async throws {
        let run = try await swiftTest(arguments)
        #expect(run.status == 0, "\(run.output)")
        let report = try Report(contentsOf: Self.report)
        let retries = report.retries.filter { $0.module == "DemoTests" && $0.name.hasPrefix("-[") }
        #expect(
            retries.map(\.name) == [
                "-[CheckoutTests testPays]", "-[LoginTests testSignsIn]", "-[SearchTests testFindsShoes]",
            ]
        )
        #expect(retries.map(\.attemptedRetries) == [2, 1, 1])
        #expect(retries.map(\.outcome) == [.recovered, .recovered, .recovered])
    }

    @Test("runs a selection, and reports nothing of an older run")
    func filtered() async throws {
        let run = try await swiftTest(["--filter", "LoginTests"])
        #expect(run.status == 0, "\(run.output)")
        #expect(try Report(contentsOf: Self.report).retries.map(\.name) == ["-[LoginTests testSignsIn]"])
        #expect(run.output.contains("Retryable: 1 test flaked: 1 recovered, 0 failed"))
    }

    @Test("has the five keys that CI scripts parse")
    func fiveKeys() async throws {
        _ = try await swiftTest(["--filter", "LoginTests"])
        let json = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: Self.report)) as? [String: Any])
        let retry = try #require((json["retries"] as? [[String: Any]])?.first)
        #expect(retry["name"] as? String == "-[LoginTests testSignsIn]")
        #expect(retry["maxRetriesAllowed"] as? Int == 1)
        #expect(retry["attemptedRetries"] as? Int == 1)
        #expect(retry["reason"] as? String == "the token arrives late")
        #expect(retry["fixable"] as? Bool == true)
    }

    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/Demo")

    private static let report = package.appendingPathComponent(".build/debug/retryable-retries.json")

    private func swiftTest(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift", "test", "--package-path", Self.package.path] + arguments
        // The demo is to run as a user runs it, not as a part of this run.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("RETRYABLE_") }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        // Drained before it is waited for, so that no amount of output can block it.
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
