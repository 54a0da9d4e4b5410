import RetriesCommand

/// What `retries why` finds, by the code with which it compares: tests that fail at known rates, in simulated time.
///
/// Nine rounds take minutes, because a share of 1.5 % is known to 0.1 % only after 9,000 comparisons.
enum Comparisons {
    private static let all: [Condition?] = [
        nil, .load, .oneCore, .delays, .timeZone, .fixedHashes, .freshHome, .memory, .withAll,
    ]

    /// A way to run tests: the seconds of a run under each condition, and the time for all.
    private struct Way: Sendable {
        var name: String
        var conditions: [Condition?]
        var limit: Double
        var seconds: @Sendable (Condition?) -> Double
    }

    private static let ways = [
        Way(name: "directly", conditions: all.dropLast(), limit: 120) { [.load: 0.12, .delays: 0.13][$0] ?? 0.05 },
        Way(name: "by swift test", conditions: all, limit: 300) {
            [.load: 1.6, .oneCore: 1.3, .delays: 1.1, .withAll: 3][$0] ?? 1
        },
    ]

    /// How often a test fails as is and under a condition, and the shares of comparisons that may miss it, by the ways above.
    private typealias Cause = (asIs: Double, rate: Double, condition: Condition, missed: [Double])

    private static let causes: [Cause] = [
        (0.01, 0.5, .delays, [0.005, 0.03]), (0.01, 0.15, .delays, [0.005, 0.55]), (0.12, 0.5, .load, [0.005, 0.12]),
        (0.28, 0.03, .oneCore, [0.01, 0.35]), (0, 0.06, .delays, [0.02, 0.93]),
    ]

    static func rows(_ rounds: Int) -> [Row] {
        ways.indices.flatMap { index in
            let tries = 1_000 * rounds
            let accused = [0.02, 0.2, 0.5].flatMap { rate in
                [false, true].map { drifts in
                    let found = compare(tries, ways[index], drifts: drifts) { _ in rate }
                    return Double(found.count { !$0.causes.isEmpty }) / Double(tries)
                }
            }
            let alarms = Row(
                what: "why, \(ways[index].name): tests that fail at random and get a cause",
                against: "all such tests",
                ratio: accused.max(),
                detail: "\(accused.map { ($0 * 100).text(1) }.joined(separator: ", ")) %",
                // One in fifty would make people distrust the causes that are right.
                atMost: 0.02
            )
            return [alarms]
                + causes.map { cause in
                    let tries = tries / 4
                    let found = compare(tries, ways[index], drifts: false) {
                        $0 == cause.condition ? cause.rate : cause.asIs
                    }
                    let right = found.filter { $0.causes.contains(cause.condition) }
                    return Row(
                        what:
                            "why, \(ways[index].name): \(cause.condition) takes failures from \(percent(cause.asIs)) to \(percent(cause.rate))",
                        against: "missed of all",
                        ratio: 1 - Double(right.count) / Double(tries),
                        detail: "found after \(right.map(\.seconds).median.text(0)) s",
                        atMost: cause.missed[index]
                    )
                }
        }
    }

    /// The causes that each comparison finds, and the seconds until the first.
    private static func compare(
        _ tries: Int,
        _ way: Way,
        drifts: Bool,
        rate: (Condition?) -> Double
    ) -> [(causes: [Condition?], seconds: Double)] {
        var dice = Dice(counter: 1)
        return (0..<tries).map { _ in
            var comparison = ConditionComparison(of: way.conditions)
            var (time, first) = (0.0, Double?.none)
            // From some moment on, the test fails four times less often, or it did until then.
            let (turn, falls) = (dice.roll() * way.limit, dice.roll() < 0.5)
            while time < way.limit, let row = comparison.nextRow {
                let isRare = drifts && (time > turn) == falls
                let isBad = dice.roll() < rate(row.condition) / (isRare ? 4 : 1)
                time += way.seconds(row.condition)
                comparison.add(isBad ? .failed : .passed, under: row.condition, seconds: way.seconds(row.condition))
                if first == nil, !comparison.causes.isEmpty { first = time }
            }
            comparison.decide()
            return (comparison.causes.map(\.condition), first ?? time)
        }
    }

    private static func percent(_ rate: Double) -> String { "\((rate * 100).text(0)) %" }
}

/// Random numbers that are the same in every run: a counter whose bits are mixed (SplitMix64).
struct Dice {
    var counter: UInt64

    /// Returns a number from 0 to 1.
    mutating func roll() -> Double {
        counter &+= 0x9E37_79B9_7F4A_7C15
        var bits = counter
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Double(bits >> 11) * 0x1p-53
    }
}
