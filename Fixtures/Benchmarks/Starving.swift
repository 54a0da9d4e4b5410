import Foundation
import RetryReport
import RetryableTesting
import Testing

/// Waits that starve: tests that compute run beside tests that wait for the clock inside a section with one retry.
enum Starving {
    static func row(_ rounds: Int) throws -> Row {
        var (flaked, recovered) = (0, 0)
        for round in 0..<max(rounds, 3) where flaked < 60 {
            let report = URL(fileURLWithPath: "\(Child.folder)/starving-\(round).json")
            // A retry that fails makes the exit code 1; the report is what counts.
            do { try Child.run(nil, ["--process", "starving"], report: report.path) } catch is Child.Failed {}
            let tests = try Report(json: Array(Data(contentsOf: report))).tests
            flaked += tests.count
            recovered += tests.count { $0.outcome == .recovered }
        }
        return Row(
            what: "waits that starved and fail again",
            against: "all that starved",
            ratio: flaked == 0 ? nil : Double(flaked - recovered) / Double(flaked),
            detail: "\(recovered) of \(flaked) recovered",
            // Above it, more than one starved wait in twenty makes a run red for no fault of its test.
            atMost: 0.05
        )
    }

    static func run() async -> CInt {
        var arguments = __CommandLineArguments_v0()
        arguments.filter = ["^benchmarks\\.Starving/"]
        return await __swiftPMEntryPoint(passing: arguments)
    }

    @Suite struct Computing {
        /// Computes for a second and a half, with pauses.
        @Test(arguments: 0..<24) func computes(number: Int) async throws {
            for _ in 0..<50 {
                let end = Date() + 0.03
                var sum = 0
                while Date() < end { sum &+= number }
                #expect(sum >= 0)
                try await Task.sleep(nanoseconds: 1_000_000)
            }
        }
    }

    @Suite(.retryable) struct Waiting {
        @Test(arguments: 0..<20) func waits(number: Int) async throws {
            try await flaky(.fixable(reason: "waits for the clock")) {
                let start = Date()
                try await Task.sleep(nanoseconds: 100_000_000)
                let waited = Date().timeIntervalSince(start)
                #expect(waited < 0.2)
            }
        }
    }
}
