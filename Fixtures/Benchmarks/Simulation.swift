/// What retrying is for: a suite whose set-up steps flake and whose code has bugs that show now and then, run again and
/// again under three ways to deal with a failure.
struct Simulation: Encodable {
    var seed: UInt64 = 2026
    /// How many commits are tested: as many healthy ones, and as many with bugs.
    var commits = 20_000
    var tests = 300
    /// How many of the tests have a set-up step that flakes.
    var flakySteps = 60
    /// How often such a step fails.
    var flakeRate = 0.01
    /// How many tests of a bad commit meet a real bug, outside of any flaky step.
    var bugs = 3
    /// How often such a bug shows when its test runs.
    var bugRate = 0.5
    /// How much of a test's time its set-up takes.
    var setUpShare = 0.3
    /// How often a test, or a marked section, may be retried.
    var retries = 1

    enum Strategy: String, Encodable, CaseIterable {
        case noRetry = "no retry"
        case wholeTest = "whole-test retry"
        case section = "section retry"
    }

    struct Outcome: Encodable {
        var strategy: Strategy
        /// The share of healthy commits that go red.
        var falseAlarms: Double
        /// The share of bugs that a run of their commit does not show.
        var missedBugs: Double
        /// Machine time until a healthy commit is green, red runs repeated as a whole; one clean run is 1.
        var time: Double
    }

    func run() -> [Outcome] {
        Strategy.allCases.map { strategy in
            var dice = Dice(seed: seed)
            var red = 0
            var missed = 0
            var time = 0.0
            for _ in 0..<commits {
                var run = runSuite(under: strategy, bugs: 0, &dice)
                time += run.time
                if run.isRed { red += 1 }
                while run.isRed {
                    run = runSuite(under: strategy, bugs: 0, &dice)
                    time += run.time
                }
                missed += bugs - runSuite(under: strategy, bugs: bugs, &dice).bugsSeen
            }
            return Outcome(
                strategy: strategy,
                falseAlarms: Double(red) / Double(commits),
                missedBugs: Double(missed) / Double(bugs * commits),
                time: time / Double(commits * tests)
            )
        }
    }

    private struct Run {
        var isRed = false
        var bugsSeen = 0
        /// In tests.
        var time = 0.0
    }

    /// Tests without a flaky step and without a bug pass and cost their time; the others are thrown for, bugs first.
    private func runSuite(under strategy: Strategy, bugs: Int, _ dice: inout Dice) -> Run {
        let thrown = max(flakySteps, bugs)
        var run = Run(time: Double(tests - thrown))
        for index in 0..<thrown {
            let end = runTest(under: strategy, flakes: index < flakySteps, hasBug: index < bugs, &run.time, &dice)
            if end != .passed { run.isRed = true }
            if end == .failedByBug { run.bugsSeen += 1 }
        }
        return run
    }

    private enum End {
        case passed, failedInSetUp, failedByBug
    }

    private func runTest(
        under strategy: Strategy,
        flakes: Bool,
        hasBug: Bool,
        _ time: inout Double,
        _ dice: inout Dice
    ) -> End {
        var end = End.passed
        for _ in 0...(strategy == .noRetry ? 0 : retries) {
            time += setUpShare
            if flakes, dice.falls(flakeRate) {
                end = .failedInSetUp
                continue
            }
            time += 1 - setUpShare
            guard hasBug, dice.falls(bugRate) else { return .passed }
            end = .failedByBug
            if strategy == .section { return end }
        }
        return end
    }
}

extension Simulation {
    /// The parameters and what came of them.
    func text(for outcomes: [Outcome]) -> String {
        var lines = [
            "simulation: seed \(seed), \(commits) healthy commits and as many with \(bugs) bugs that show in "
                + "\((bugRate * 100).text(0)) % of their test's runs;",
            "\(tests) tests, \(flakySteps) with a set-up step that flakes in \((flakeRate * 100).text(0)) % of runs and "
                + "takes \((setUpShare * 100).text(0)) % of the test; \(retries) retry",
        ]
        for outcome in outcomes {
            lines.append(
                "  \(outcome.strategy.rawValue): a healthy commit goes red in \(percent(outcome.falseAlarms)), "
                    + "\(percent(outcome.missedBugs)) of bugs slip through, time until green \(outcome.time.text(2))"
            )
        }
        return lines.joined(separator: "\n")
    }
}

/// `0.6 %`, `45 %`.
func percent(_ share: Double) -> String {
    "\((share * 100).text(share < 0.0995 ? 1 : 0)) %"
}
