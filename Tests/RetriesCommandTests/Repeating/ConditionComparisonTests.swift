import Foundation
import Testing

@testable import RetriesCommand

@Suite("Fisher's exact test")
struct FisherTests {
    /// Two-sided, as R's `fisher.test` has them.
    @Test(
        "Fisher's exact test agrees with published tables",
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

    @Test("a condition that was not run is not shown as one without a failure")
    func notRun() {
        #expect([Tally().text, Tally(runs: 3, bad: 1).text] == ["not run", "1 of 3"])
    }

    @Test("Fisher's exact test works for numbers whose factorials would overflow")
    func large() {
        let half = Tally(runs: 100_000, bad: 50_000)
        #expect(half.p(against: half) > 0.999)
        #expect(half.p(against: Tally(runs: 100_000)) == 0)
    }

    @Test("a probability is shown with as many digits as count")
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
    private static let all: [Condition] = [
        .load, .oneCore, .delays, .timeZone, .fixedHashes, .freshHome, .memory, .withAll,
    ]

    @Test("comparisons of conditions run most often as is, and what explains few flakes least often")
    func shares() {
        var comparison = ConditionComparison(of: [nil, .load, .delays, .memory])
        #expect((1...4).map { _ in comparison.pass() } == [nil, .delays, nil, .load])
        for _ in 5...160 { comparison.pass() }
        #expect(comparison.rows.map(\.tally.runs) == [90, 30, 30, 10])
        comparison = ConditionComparison(of: [nil, .memory, .withAll])
        for _ in 1...50 { comparison.pass() }
        #expect(comparison.rows.map(\.tally.runs) == [30, 10, 10])
    }

    @Test("comparisons of conditions charge for a costly run, so that it takes no time from the others")
    func costs() {
        var comparison = ConditionComparison(of: [nil, .load, .memory, .withAll])
        for _ in 1...160 { comparison.pass { $0 == .load ? 2.4 : $0 == .withAll ? 30 : 0.1 } }
        // A run under load counts as three, and one of all tests as 75.
        #expect(comparison.rows.map(\.tally.runs) == [131, 14, 14, 1])
    }

    @Test("comparisons of conditions with a number of runs give each condition as many, in turn")
    func rounds() {
        var comparison = ConditionComparison(of: [nil, .load, .memory], rounds: 2)
        #expect(comparison.turnsLeft == 6)
        let turns = (1...6).map { _ in comparison.pass { $0 == .load ? 60 : 0.1 } }
        #expect(
            Set(turns[..<3]) == [nil, .load, .memory] && Set(turns[3...]) == [nil, .load, .memory] && turns[0] == nil
        )
        #expect(comparison.nextRow == nil)
        comparison = ConditionComparison(of: [nil, .memory], rounds: 5)
        comparison.remove(.memory)
        #expect(comparison.nextRow == nil)
        // Runs that do not count are runs all the same, or they would never end.
        comparison = ConditionComparison(of: [nil, .memory], rounds: 1)
        for condition in [nil, Condition.memory] { comparison.add(nil, under: condition, seconds: 1) }
        #expect(comparison.nextRow == nil && comparison.asIs.tally.runs == 0)
        // Those of `repeat` are only counted.
        comparison = ConditionComparison(of: [.races], rounds: 5)
        #expect((1...5).map { _ in comparison.pass() } == Array(repeating: .races, count: 5))
        #expect(comparison.nextRow == nil)
    }

    @Test(
        "comparisons of conditions accuse nothing of a test that fails in every other run, or in every third",
        arguments: [2, 3],
        [nil, 24]
    )
    func periods(period: Int, rounds: Int?) {
        var comparison = ConditionComparison(of: [nil] + Self.all, rounds: rounds)
        for number in 0..<1_000 {
            guard let row = comparison.nextRow else { break }
            comparison.add(number % period == 0 ? .failed : .passed, under: row.condition, seconds: 0.1)
        }
        comparison.decide()
        #expect(comparison.causes.isEmpty, "\(comparison.rows.map(\.tally))")
    }

    @Test("comparisons of conditions look after 3 or 10 runs, and go on without what is no cause once one is found")
    func looks() {
        var comparison = ConditionComparison(of: [nil] + Self.all)
        while let row = comparison.nextRow, row.tally.runs < 60 {
            comparison.add(row.condition == .timeZone ? .failed : .passed, under: row.condition, seconds: 0.1)
        }
        #expect(comparison.causes.map(\.condition) == [.timeZone])
        #expect(
            comparison.rows.map { "\($0.condition?.rawValue ?? "as-is") \($0.tally.runs)" } == [
                "as-is 49", "load 17", "one-core 16", "delays 16", "time-zone 6", "fixed-hashes 5", "fresh-home 5",
                "memory 6", "with-all 5",
            ]
        )
        #expect(comparison.nextRow == nil)
    }

    @Test(
        "comparisons of conditions spend what is left of the level at the end, and little of it if they are interrupted"
    )
    func ends() {
        var interrupted = ConditionComparison(of: [nil, .load])
        for _ in 1...36 {
            guard let row = interrupted.nextRow else { break }
            interrupted.add(
                row.condition == .load && row.tally.runs > 5 ? .failed : .passed,
                under: row.condition,
                seconds: 0.1
            )
        }
        #expect(interrupted.rows.map(\.tally.runs) == [27, 9])
        #expect(interrupted.rows[1].tally.bad == 3)
        var over = interrupted
        interrupted.decide(isEarly: true)
        over.decide()
        #expect(interrupted.causes.isEmpty)
        #expect(over.causes.count == 1)
    }

    @Test("runs as is go on for new without a condition, and end for why", arguments: [true, false])
    func withoutConditions(isTested: Bool) {
        var comparison = ConditionComparison(of: [nil, .load], isTested: isTested)
        comparison.add(.passed, under: nil, seconds: 0.1)
        #expect(comparison.nextRow != nil)
        comparison.remove(.load)
        #expect((comparison.nextRow == nil) == isTested)
    }

    @Test(
        "comparisons of conditions name first what makes the test fail, however clearly something else hides the failure"
    )
    func reproducing() {
        var comparison = ConditionComparison(of: [nil, .oneCore, .delays], rounds: 40)
        while let row = comparison.nextRow {
            let runs = row.tally.runs
            let isBad = row.condition == .delays ? runs != 3 : row.condition == nil && runs.isMultiple(of: 2)
            comparison.add(isBad ? .failed : .passed, under: row.condition, seconds: 0.1)
        }
        comparison.decide()
        #expect(comparison.causes.map(\.condition) == [.delays, .oneCore])
        #expect(comparison.causes.map { $0.p ?? 1 } != comparison.causes.map { $0.p ?? 1 }.sorted())
    }

    // MARK: - Simulations, of which Fixtures/Benchmarks has more

    @Test("comparisons of conditions give a coin a cause in at most 3 of 100 comparisons", arguments: [0.02, 0.2, 0.5])
    func coins(rate: Double) {
        #expect(accused(tries: 100, limit: 60) { _ in rate }.count { !$0.isEmpty } <= 3)
    }

    @Test(
        "comparisons of conditions find causes of rare flakes, and of those that one core hides",
        arguments: [(Condition.delays, 0.01, 0.15), (.delays, 0, 0.06), (.load, 0.12, 0.5), (.oneCore, 0.28, 0.03)]
    )
    func causes(condition: Condition, asIs: Double, rate: Double) {
        let found = accused(tries: 50, limit: 120) { $0 == condition ? rate : asIs }
        #expect(found.count { $0.contains(condition) } >= 48)
    }

    /// The conditions that comparisons of a test accuse which fails at these rates.
    private func accused(tries: Int, limit: Double, rate: (Condition?) -> Double) -> [[Condition?]] {
        var dice = Dice(seed: 1)
        return (0..<tries).map { _ in
            var comparison = ConditionComparison(of: [nil] + Self.all.dropLast())
            var time = 0.0
            while time < limit, let row = comparison.nextRow {
                let condition = row.condition
                let seconds = condition == .load || condition == .delays ? 0.13 : 0.05
                comparison.add(dice.roll() < rate(condition) ? .failed : .passed, under: condition, seconds: seconds)
                time += seconds
            }
            comparison.decide()
            return comparison.causes.map(\.condition)
        }
    }
}

extension ConditionComparison {
    /// Adds a run that passes, and returns its condition.
    @discardableResult
    fileprivate mutating func pass(seconds: (Condition?) -> Double = { _ in 0.1 }) -> Condition? {
        let condition = nextRow?.condition
        add(.passed, under: condition, seconds: seconds(condition))
        return condition
    }
}

@Suite("The time of runs")
struct RunTimesTests {
    @Test("a run is ended after twenty times the median, if it neither builds nor is asked to take longer")
    func limits() throws {
        func times(_ options: String, _ seconds: Double..., isTimed: Bool = true) throws -> RunTimes {
            let arguments = options.split(separator: " ").map(String.init)
            var times = try RunTimes(Arguments(arguments, syntax: WhyCommand.syntax), isTimed: isTimed)
            for time in seconds { times.add(time) }
            return times
        }
        func limit(_ times: RunTimes, _ condition: Condition? = nil, isComparison: Bool = true) -> Double? {
            times.limit(under: condition, isComparison: isComparison)
        }
        // The first run may build, unless a time is asked for.
        #expect(try limit(times("")) == nil)
        #expect(try limit(times("--for 20s")) == 10)
        #expect(try limit(times("--for 20s"), isComparison: false) == 20)
        #expect(try limit(times("--for 5s")) == 5)
        #expect(try limit(times("", 90), .load) == 300)
        // While few are known it is a tenth of the time, so that a test that hangs when it flakes leaves time for others.
        #expect(try limit(times("", 0.1, 0.1)) == 12)
        #expect(try limit(times("--for 20s", 0.1)) == 10)
        #expect(try limit(times("--for 1h", 0.1)) == 60)
        var hanging = try times("--for 1h", 0.1)
        hanging.add(1800, isTooLong: true)
        #expect(limit(hanging) == 60)
        #expect(try limit(times("", 0.1, isTimed: false)) == 60)
        #expect(try limit(times("", 90, 0.1, 0.1, 0.2, 0.1)) == 10)
        #expect(try limit(times("", 90, 2, 1, 2, 1), .load) == 40)
        #expect(try limit(times("", 1, 1, 1, 1, 1), .races) == nil)
        #expect(try limit(times("", 0.1, 0.1, 0.1), .withAll) == 12)
        #expect(try limit(times("", 0.1, 0.1, 0.1, isTimed: false), .withAll) == nil)
        #expect(try limit(times("", 1, 1, 1, 1, 1, isTimed: false), .withAll, isComparison: false) == 20)
        #expect(try limit(times("--limit 3s", 90, 2, 1, 2, 1), .withAll) == 3)
    }

    @Test("the first run of tests that new chooses may take twice the time for all, a later one what the slowest needs")
    func limitsOfSets() throws {
        var times = try RunTimes(Arguments([], syntax: NewCommand.syntax), usual: 300)
        #expect(times.limit(under: nil, isComparison: true, isFirst: true) == 600)
        times.add(180)
        #expect(times.limit(under: .delays, isComparison: true) == 900)
        // Quick ones, run alone, do not shorten it.
        for _ in 1...5 { times.add(1) }
        #expect(times.limit(under: nil, isComparison: false) == 900)
        #expect(times.limit(under: nil, isComparison: true, isFirst: true) == 600)
        var medium = try RunTimes(Arguments([], syntax: NewCommand.syntax), usual: 300)
        medium.add(60)
        #expect(medium.limit(under: .oneCore, isComparison: true) == 600)
        var quick = try RunTimes(Arguments(["--for", "1m"], syntax: NewCommand.syntax), usual: 300)
        for _ in 1...5 { quick.add(1) }
        #expect(quick.limit(under: .load, isComparison: true) == 20)
    }

    @Test(
        "conditions are compared for two minutes, or five if a run takes long, without the time in which the first builds"
    )
    func totals() throws {
        var times = try RunTimes(Arguments([], syntax: WhyCommand.syntax), isTimed: true)
        #expect(times.total == 120)
        times.add(90)
        #expect(times.total == 300)
        for _ in 1...2 { times.add(0.2) }
        #expect(times.total == 120)
        #expect(times.mayBuild(under: nil) && times.mayBuild(under: .races) && !times.mayBuild(under: .load))
        let asked = try RunTimes(Arguments(["--for", "9s"], syntax: WhyCommand.syntax), isTimed: true)
        #expect(asked.total == 9 && !asked.mayBuild(under: nil))
    }
}
