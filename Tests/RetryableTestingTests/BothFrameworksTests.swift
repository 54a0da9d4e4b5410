import Foundation
import RetryReport
import Testing

@Suite("Both frameworks", .serialized)
struct BothFrameworksTests {
    @Test("add to one report, which lies where it lies for one", arguments: [[], ["--parallel"]])
    func oneReport(arguments: [String]) async throws {
        let program = try await Misbehaving.program()
        let report = program.deletingLastPathComponent().appendingPathComponent("retryable-retries.json")
        let run = try await ChildProcess.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            [
                "swift", "test", "--skip-build", "--package-path", Misbehaving.package.path,
                "--scratch-path", Misbehaving.build.path, "--filter", "Both",
            ] + arguments
        )
        #expect(run.status == 0, "\(run.output) \(run.errorOutput)")
        let retries = try Report(contentsOf: report).retries
        #expect(retries.map(\.name) == ["-[BothXCTest testFlakes]", "BothTesting/flakes()"])
        #expect(retries.map(\.module) == ["MisbehavingTesting", "MisbehavingTesting"])
        #expect(retries.map(\.outcome) == [.recovered, .recovered])
        #expect(retries.map(\.reason) == ["a race in XCTest", "a race in Swift Testing"])
    }
}
