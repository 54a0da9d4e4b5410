/// How far a run has come, and what is left of it.
///
/// Suites have numbers, in the order in which they run, outermost first. The suite of all retries and the suite of one
/// class's retries have the two numbers that follow.
package struct RunState {
    package struct Attempt: BitwiseCopyable {
        /// Which of the listed tests it is of.
        package var test: Int
        /// The suite that it runs in.
        package var suite: Int
        package var retryCount = 0
        package var hasBegun = false
        package var hasEnded = false
        /// When it began, in seconds since 1970.
        package var start = 0.0
        /// What it has come to so far.
        package var totals = Totals()

        package init(test: Int, suite: Int, retryCount: Int = 0) {
            self.test = test
            self.suite = suite
            self.retryCount = retryCount
        }
    }

    /// Where a run is; -1 stands for nowhere.
    package struct Position: BitwiseCopyable {
        /// The attempt that runs.
        package var attempt = -1
        /// The innermost suite that has begun and not ended.
        package var suite = -1
        /// The listed suite that was the last to begin.
        package var lastSuite = -1
        /// The attempts of the round that is under way: from this one
        package var roundStart = 0
        /// up to, and without, this one.
        package var roundEnd = 0

        package init() {}
    }

    /// What a death is blamed on.
    package enum Charge: Hashable, Sendable {
        case attempt(Int)
        case suite(Int)
    }

    package enum Standing {
        case untouched, open, over
    }

    /// The suite around each listed suite.
    private let parents: [Int]
    /// The first attempts of all listed tests, in order; behind them the retries, as they were queued.
    package let attempts: [Attempt]
    package let position: Position
    /// What has had to answer for the deaths so far.
    package let charges: [Charge]

    package init(parents: [Int], attempts: [Attempt], position: Position, charges: [Charge] = []) {
        self.parents = parents
        self.attempts = attempts
        self.position = position
        self.charges = charges
    }

    package var retries: Int { parents.count }
    package var retriesOfClass: Int { parents.count + 1 }
    package var round: Range<Int> { position.roundStart..<position.roundEnd }

    /// Whether the outermost suite has ended.
    package var isOver: Bool { position.suite < 0 }

    /// How many attempts have ended.
    package var endings: Int { attempts.count { $0.hasEnded } }

    /// Whether every attempt has ended, and nothing has failed.
    package var isGreen: Bool { attempts.allSatisfy(\.hasEnded) && !totals(of: 0).hasFailed }

    /// What has to answer if the process dies here: the attempt that runs, or else the next one of the suite that is open,
    /// so that a class which cannot be set up fails its tests one by one. Where there is none, the suite itself.
    package var charge: Charge {
        if position.attempt >= 0 { return .attempt(position.attempt) }
        let next = attempts.indices.first { isLeft($0) && attempts[$0].suite == position.suite }
        return next.map(Charge.attempt) ?? .suite(position.suite)
    }

    package func standing(of suite: Int) -> Standing {
        if suitesAround(position.suite).contains(suite) { return .open }
        return suite <= position.lastSuite ? .over : .untouched
    }

    /// Whether an attempt is still to be run.
    package func isLeft(_ attempt: Int) -> Bool { !attempts[attempt].hasEnded && charges.last != .attempt(attempt) }

    /// The attempts that are left of a suite and those in it.
    package func left(in suite: Int) -> [Int] {
        attempts.indices.filter { isLeft($0) && suitesAround(attempts[$0].suite).contains(suite) }
    }

    /// What a suite and those in it have come to so far.
    package func totals(of suite: Int) -> Totals {
        var totals = Totals()
        for attempt in attempts where attempt.hasEnded && suitesAround(attempt.suite).contains(suite) {
            totals += attempt.totals
        }
        for case .suite(let failed) in charges where suitesAround(failed).contains(suite) { totals.failures += 1 }
        return totals
    }

    /// A suite and those around it, innermost first.
    private func suitesAround(_ suite: Int) -> some Sequence<Int> {
        sequence(first: suite) { suite in
            guard suite < parents.count else { return suite == retries ? 0 : retries }
            return parents[suite] < 0 ? nil : parents[suite]
        }
    }
}
