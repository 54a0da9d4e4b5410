import Testing

@testable import RetriesCommand

@Suite("The interval of a rate")
struct ConfidenceIntervalTests {
    @Test(
        "is Wilson's, also where nothing or everything was seen",
        arguments: [
            (7, 200, "3.5 %", "1.7 % to 7.1 %"),
            (0, 200, "0 %", "0 % to 1.9 %"),
            (200, 200, "100 %", "98.1 % to 100 %"),
            (1, 1, "100 %", "20.7 % to 100 %"),
            (120, 200, "60 %", "53.1 % to 66.5 %"),
            (1, 100_000, "0 %", "0 % to 0.01 %"),
            (5, 10_000, "0.05 %", "0.02 % to 0.1 %"),
        ]
    )
    func wilson(count: Int, runs: Int, rate: String, words: String) {
        #expect((Double(count) / Double(runs)).percent == rate)
        #expect(ConfidenceInterval(count, of: runs).words == words)
    }

    @Test("says nothing of what never ran")
    func empty() {
        #expect(ConfidenceInterval(0, of: 0).words == "0 % to 100 %")
    }

    @Test("holds the true rate in at least 93 of 100 series of 200 runs", arguments: [0, 0.1, 0.6])
    func coverage(rate: Double) {
        let held = (1...100).count { seed in
            var dice = Dice(seed: UInt64(seed))
            let flaked = (0..<200).count { _ in Double.random(in: 0..<1, using: &dice) < rate }
            let interval = ConfidenceInterval(flaked, of: 200)
            return interval.low <= rate && rate <= interval.high
        }
        #expect(held >= 93)
    }

    /// SplitMix64: the same numbers for the same seed, on every system.
    private struct Dice: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64) {
            state = seed
        }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
    }
}
