/// Compares runs under each condition with runs as is, for a given time or for a given number of runs.
///
/// What explains most flakes is tried most. Each condition is tested with Fisher's test after 10, 20, 40 … of its runs, a less
/// likely one after 3, 6, 12 …, and at the end. Each test has a part of the condition's level, and these levels add up to 0.03,
/// so that all tests together accuse a test that fails at random in fewer cases than that. Nothing is given up before a cause is
/// found, because a rare flake shows late. Promising conditions get no extra runs: in simulations, those raised false alarms to 9 to 14 %.
package struct ConditionComparison {
    /// The runs under one condition, and whether it matters.
    package struct Row {
        /// `nil` for the runs as is.
        package let condition: Condition?
        fileprivate(set) var tally = Tally()
        /// The probability of such a difference if the condition does not matter; `nil` as long as that was not tested.
        fileprivate(set) var p: Double?
        /// Whether the condition matters; `nil` as long as that is undecided.
        fileprivate(set) var isCause: Bool?

        /// The tests that passed, failed or flaked in a run, and those that did neither in one, which then proves nothing.
        fileprivate(set) var ran: Set<String> = [], unproven: Set<String> = []
        fileprivate(set) var tests: [String: Tally] = [:]

        /// The runs that have ended, with those that do not count because no test ran.
        fileprivate(set) var turns = 0
        fileprivate var seconds = 0.0, firstSeconds = 0.0, looks = 0

        var isCompared: Bool { condition?.isCompared == true }
        fileprivate var isLikely: Bool { condition?.isLikely == true }
        /// The seconds of a run; the first may have built.
        fileprivate var typicalSeconds: Double { turns > 1 ? (seconds - firstSeconds) / Double(turns - 1) : seconds }
    }

    /// The number of runs under each condition; `nil` if a time ends them.
    let rounds: Int?
    /// The runs as is, with which all others are compared, then those under each condition.
    private(set) var rows: [Row]
    /// Whether there is anything to compare. The runs of `repeat` are only counted.
    let isComparison: Bool
    /// Whether conditions are tested, and left once that is decided. For `new` they take turns to the end, and runs as is go on
    /// without any.
    private let isTested: Bool

    package init(of conditions: [Condition?], rounds: Int? = nil, isTested: Bool = true) {
        self.rounds = rounds
        self.isTested = isTested
        isComparison = conditions.count > 1
        rows = conditions.map { Row(condition: $0) }
    }

    /// The runs as is; for `repeat`, all runs.
    var asIs: Row { rows[0] }

    /// The conditions that matter: those that reproduce the failure, then those that hide it, the most significant first.
    package var causes: [Row] {
        let causes = rows.filter { $0.isCause == true }.sorted { $0.p ?? 1 < $1.p ?? 1 }
        return causes.filter { $0.tally.rate > asIs.tally.rate } + causes.filter { $0.tally.rate <= asIs.tally.rate }
    }

    /// The tests that ran as is and were not seen to run in each run under the condition of `row`.
    func unproven(in row: Row) -> Set<String> { row.unproven.intersection(asIs.ran) }

    // MARK: - Turns

    /// The row of the next run; `nil` if all is decided.
    package var nextRow: Row? {
        let isUndecided = rows.dropFirst().contains { rounds == nil ? turnsLeft(of: $0) > 0 : $0.isCause == nil }
        guard isUndecided || !isComparison || !isTested else { return nil }
        let open = rows.indices.filter { turnsLeft(of: rows[$0]) > 0 }
        return open.min { charge(at: $0) < charge(at: $1) }.map { rows[$0] }
    }

    /// The number of runs to come, unless the result is clear earlier; `nil` if a time ends them.
    var turnsLeft: Int? { rounds.map { _ in rows.reduce(0) { $0 + turnsLeft(of: $1) } } }

    private func turnsLeft(of row: Row) -> Int {
        // Three runs show most data races.
        let most = min(rounds ?? .max, row.condition == .races && isComparison ? 3 : .max)
        return row.isCause == nil ? most - row.turns : 0
    }

    /// What a row has had of the time, by its share; the one that is charged least is next. A costly run counts as several.
    private func charge(at index: Int) -> Double {
        let row = rows[index]
        // The order varies, so that a test that fails in every other run does not always meet the same condition.
        var bits = UInt64(row.turns * rows.count + index) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let runs = Double(row.turns) + Double(bits >> 11) * 0x1p-53
        guard rounds == nil, row.condition != nil else { return rounds == nil && isTested ? runs / 3 : runs }
        let asIsRuns = row.isCompared ? (row.seconds + row.typicalSeconds) / max(asIs.typicalSeconds, 1e-6) : 0
        return row.isLikely || !rows.contains(where: \.isLikely) ? max(runs, asIsRuns / 8) : max(runs, asIsRuns / 4) * 3
    }

    /// Adds a run, and tests its condition if it is time to. The outcome is `nil` if the run does not count.
    package mutating func add(_ outcome: RepetitionOutcome?, under condition: Condition?, seconds: Double) {
        guard let index = rows.firstIndex(where: { $0.condition == condition }) else { return }
        rows[index].turns += 1
        rows[index].seconds += seconds
        if rows[index].turns == 1 { rows[index].firstSeconds = seconds }
        guard let outcome else { return }
        rows[index].tally.add(outcome)
        let first = rounds == nil && !rows[index].isLikely ? 3 : 10
        if isOpen(rows[index]), rows[index].tally.runs == first << rows[index].looks { look(at: index) }
    }

    mutating func add(testsOf repetition: Repetition, under condition: Condition?) {
        for index in rows.indices where rows[index].condition == condition {
            rows[index].ran.formUnion(repetition.ranTests)
            rows[index].unproven.formUnion(repetition.unprovenTests)
            for (test, outcome) in repetition.testOutcomes { rows[index].tests[test, default: Tally()].add(outcome) }
        }
    }

    mutating func remove(_ condition: Condition) {
        rows.removeAll { $0.condition == condition }
    }

    // MARK: - Tests

    /// Decides on all conditions, at a stricter level if the user ended the runs early, who may have looked at the numbers.
    package mutating func decide(isEarly: Bool = false) {
        for index in rows.indices where isOpen(rows[index]) {
            test(index, level: level(of: rows[index], isLast: !isEarly))
            rows[index].isCause = rows[index].isCause ?? false
        }
    }

    private func isOpen(_ row: Row) -> Bool { isComparison && isTested && row.isCompared && row.isCause == nil }

    private mutating func look(at index: Int) {
        test(index, level: level(of: rows[index], isLast: false))
        rows[index].looks += 1
        guard rows.contains(where: { $0.isCause == true }) else { return }
        // A cause is known, so conditions that do not look like a second one are dropped.
        for other in rows.indices where isOpen(rows[other]) && (rows[other].looks > 0 || !rows[other].isLikely) {
            test(other, level: 0)
            if rows[other].p ?? 1 > 0.05 { rows[other].isCause = false }
        }
    }

    /// Tests a condition, which matters if the probability of its difference is at most `level`.
    private mutating func test(_ index: Int, level: Double) {
        let row = rows[index]
        let p = row.tally.p(against: asIs.tally)
        rows[index].p = p
        guard p <= level else { return }
        // That tests fail less often only because they were skipped is no evidence.
        let isSkipped = row.unproven.contains { asIs.tests[$0]?.bad ?? 0 > 0 }
        rows[index].isCause = row.tally.rate > asIs.tally.rate || !isSkipped
    }

    /// The level of a condition's next test; the last one has all that is left.
    private func level(of row: Row, isLast: Bool) -> Double {
        let parts = [0.2, 0.2, 0.2, 0.1, 0.1, 0.1]
        let part = isLast ? 1 - parts.prefix(row.looks).reduce(0, +) : row.looks < parts.count ? parts[row.looks] : 0
        let compared = rows.filter(\.isCompared)
        guard rounds == nil else { return 0.05 * part / Double(compared.count) }
        let alike = compared.count { $0.isLikely == row.isLikely }
        let share = alike == compared.count ? 1 : row.isLikely ? 0.8 : 0.2
        return 0.03 * part * share / Double(alike)
    }
}
