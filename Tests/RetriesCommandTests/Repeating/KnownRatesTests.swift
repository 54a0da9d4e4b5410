import Foundation
import TestSupport
import Testing

/// The whole way: marks that flake at known rates, repeated, counted, written, read and judged.
@Suite("Marks of known rates, run 200 times")
struct KnownRatesTests {
    @Test("get intervals that hold their rates, and the right verdicts")
    func verdicts() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let script = #"echo x >>count; RATES_SEED=$(wc -l <count) exec "$0" KnownRates"#
        let repeated = try await ChildRun.of(
            Checkout.program("retries"),
            [
                "repeat", "200", "--keep", "kept", "--", "/bin/sh", "-c", script,
                Checkout.program("WholeRunProgram").path,
            ],
            in: folder.url
        )
        #expect(repeated.ending == .exitCode(1))
        let output = try await ChildRun.of(
            Checkout.program("retries"),
            ["history", "kept", "--format", "json"],
            in: folder.url
        ).outputBytes
        let marks = try JSONDecoder().decode(Document.self, from: output).marks
        let rates = ["was mended": 0, "flakes in one of ten": 0.1, "fails in six of ten": 0.6]
        let verdicts = ["was mended": "notSeen", "flakes in one of ten": "needed", "fails in six of ten": "broken"]
        #expect(marks.count == 3)
        for mark in marks {
            let rate = try #require(rates[mark.reason])
            #expect(mark.runs == 200)
            #expect(mark.rateLow <= rate && rate <= mark.rateHigh, "\(mark)")
            #expect(mark.verdict == verdicts[mark.reason])
        }
    }

    private struct Document: Decodable {
        var marks: [Mark]

        struct Mark: Decodable {
            var reason: String
            var runs: Int
            var rateLow: Double
            var rateHigh: Double
            var verdict: String
        }
    }
}
