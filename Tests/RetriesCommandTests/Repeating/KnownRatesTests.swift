import Foundation
import TestSupport
import Testing

/// The whole way: marks that flake at known rates, repeated, counted, written, read and judged.
@Suite("Marks of known rates, run 60 times")
struct KnownRatesTests {
    @Test("marks of known rates, run 60 times, get intervals that hold their rates, and the right verdicts")
    func verdicts() async throws {
        let script = #"echo x >>count; RATES_SEED=$(wc -l <count) exec "$0" KnownRates"#
        let run = try ScriptRuns()
        let command = ["--", "/bin/sh", "-c", script, Checkout.program("WholeRunProgram").path]
        #expect(try await run.retries("repeat 60 --keep kept", command).ending == .exitCode(1))
        let output = try await run.retries("history kept --stale 60 --format json").outputBytes
        let marks = try JSONDecoder().decode(Document.self, from: output).marks
        let known: [String: (rate: Double, verdict: String)] = [
            "was mended": (0, "notSeen"), "flakes in one of ten": (0.1, "needed"),
            "fails in six of ten": (0.6, "broken"),
        ]
        #expect(marks.count == 3)
        for mark in marks {
            let (rate, verdict) = try #require(known[mark.reason])
            #expect(mark.runs == 60)
            #expect(mark.rateLow <= rate && rate <= mark.rateHigh, "\(mark)")
            #expect(mark.verdict == verdict)
        }
    }

    private struct Document: Decodable {
        var marks: [Mark]

        struct Mark: Decodable {
            var reason, verdict: String
            var runs: Int
            var rateLow, rateHigh: Double
        }
    }
}
