import Foundation
import Testing

@testable import RetriesCommand

@Suite("Fisher's exact test")
struct FisherTests {
    /// Two-sided, as R's `fisher.test` has them.
    @Test(
        "agrees with published tables",
        arguments: [
            // Fisher's own example of the lady tasting tea, all right and one wrong.
            (4, 4, 0, 4, 0.02857142857), (3, 4, 1, 4, 0.4857142857),
            // Fisher 1935: convictions of like-sex twins of criminals.
            (10, 13, 2, 17, 0.0005367241),
            // Agresti 2002, and the table in the article of Wikipedia: 1 of 12 against 9 of 12.
            (1, 12, 9, 12, 0.002759456),
            (8, 10, 1, 6, 0.03496503),
            (0, 24, 0, 24, 1), (5, 10, 5, 10, 1), (0, 0, 3, 5, 1),
            (12, 100, 0, 100, 0.000343966414),
        ]
    )
    func tables(bad: Int, runs: Int, otherBad: Int, otherRuns: Int, expected: Double) {
        let (one, other) = (Tally(runs: runs, bad: bad), Tally(runs: otherRuns, bad: otherBad))
        #expect(abs(one.p(against: other) - expected) < 1e-6 * max(1, expected), "\(one.p(against: other))")
        #expect(abs(other.p(against: one) - one.p(against: other)) < 1e-12)
    }

    @Test("holds for numbers of which no factorial could be had")
    func large() {
        let half = Tally(runs: 100_000, bad: 50_000)
        #expect(half.p(against: half) > 0.999)
        #expect(half.p(against: Tally(runs: 100_000)) == 0)
    }

    @Test("shows as much of a probability as counts")
    func texts() {
        #expect(
            [0, 0.0009, 0.001, 0.0314, 1].map(Tally.text(p:)) == [
                "p < 0.001", "p < 0.001", "p = 0.001", "p = 0.03", "p = 1.00",
            ]
        )
    }
}

@Suite("Comparisons of conditions")
struct ComparisonTests {
    @Test("are corrected for their number by Holm's method")
    func holm() {
        // Holm 1979, in the example of Wikipedia's article: the first two of four at 0.05.
        #expect(Comparison.holm([0.01, 0.04, 0.03, 0.005], level: 0.05) == [true, false, false, true])
        #expect(Comparison.holm([0.02, 0.001], level: 0.05) == [true, true])
        #expect(Comparison.holm([0.02, 0.06, 0.001], level: 0.05) == [true, false, true])
        // One that is not significant stops all greater ones.
        #expect(Comparison.holm([0.03, 0.049], level: 0.05) == [false, false])
        #expect(Comparison.holm([], level: 0.05) == [])
    }

    @Test("take turns, every other round in reverse order, but for conditions that are left out")
    func order() {
        var comparison = Comparison(of: [nil, .load, .memory], rounds: 3)
        #expect(comparison.nextRound == [nil, .load, .memory])
        comparison.endRound()
        #expect(comparison.nextRound == [.memory, .load, nil])
        comparison.remove(.load)
        #expect(comparison.nextRound == [.memory, nil])
        comparison.endRound()
        comparison.endRound()
        #expect(comparison.nextRound == [])
        comparison = Comparison(of: [nil, .memory], rounds: 5)
        comparison.remove(.memory)
        #expect(comparison.nextRound == [])
        // Runs that are only counted.
        #expect(Comparison(of: [.memory], rounds: 1).nextRound == [.memory])
    }

    @Test("decide early where it is clear, and take less for enough only in the end")
    func looks() {
        func isBad(_ condition: Condition?, _ round: Int) -> Bool {
            switch condition {
            case .load: true
            case .memory: round.isMultiple(of: 4)
            default: false
            }
        }
        let comparison = compared([.load, .memory, .timeZone], rounds: 24, isBad)
        #expect(comparison.rows.map(\.tally.runs) == [24, 10, 24, 10])
        #expect(comparison.causes.map(\.condition) == [.load, .memory])

        let ended = compared([.load], rounds: 20) { $0 == .load && $1.isMultiple(of: 3) }
        #expect(ended.causes.count == 1)
        var interrupted = compared([.load], rounds: 24, until: 9) { $0 == .load && $1 > 3 }
        var over = interrupted
        interrupted.decide(isEarly: true)
        over.decide()
        #expect(interrupted.causes.isEmpty)
        #expect(over.causes.count == 1)
    }

    // MARK: - Simulations

    @Test("give a coin a cause in at most 5 of 100 comparisons", arguments: [0.05, 0.2, 0.5])
    func coins(rate: Double) {
        let accused = simulated(asIs: rate, underLoad: rate).count { !$0.causes.isEmpty }
        #expect(accused <= 2_000 * 5 / 100)
    }

    @Test("find a cause that changes much in at least 95 of 100 comparisons", arguments: [(0.02, 0.6), (0.5, 0)])
    func causes(asIs: Double, underLoad: Double) {
        let found = simulated(asIs: asIs, underLoad: underLoad).count { $0.causes.contains { $0.condition == .load } }
        #expect(found >= 2_000 * 95 / 100)
    }

    /// Comparisons of seven conditions, of which one has a rate of its own.
    private func simulated(asIs: Double, underLoad: Double) -> [Comparison] {
        var dice = Dice(seed: 1)
        let conditions: [Condition] = [.load, .oneCore, .timeZone, .fixedHashes, .freshHome, .memory, .withAll]
        return (0..<2_000).map { _ in
            compared(conditions, rounds: 24) { condition, _ in dice.roll() < (condition == .load ? underLoad : asIs) }
        }
    }

    /// A comparison of runs that are bad as `isBad` says for a condition and a round.
    private func compared(
        _ conditions: [Condition],
        rounds: Int,
        until end: Int = .max,
        _ isBad: (Condition?, Int) -> Bool
    ) -> Comparison {
        var comparison = Comparison(of: [nil] + conditions, rounds: rounds)
        while case let turns = comparison.nextRound, !turns.isEmpty, comparison.round < end {
            for condition in turns {
                comparison.add(isBad(condition, comparison.round) ? .failed : .passed, under: condition)
            }
            comparison.endRound()
        }
        return comparison
    }
}
