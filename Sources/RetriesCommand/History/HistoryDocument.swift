import Foundation
import RetryReport

/// A history as other tools read it.
struct HistoryDocument: Encodable {
    var schemaVersion = 1
    /// The newest run last.
    var runs: [Run]
    var marks: [Mark]
    /// After how many runs without a flake a mark can go.
    var stale: Int

    struct Run: Encodable {
        var id: String?
        var startedAt: String?
        var unfinished: Bool
        /// Whether it says how often each mark ran.
        var countsMarks: Bool
    }

    struct Mark: Encodable {
        var file: String?
        var line: Int?
        var module: String?
        var reason: String
        var fixable: Bool
        var maxRetryCount: Int
        /// How many runs entered it, and in how many of these it flaked.
        var runs: Int
        var flakedRuns: Int
        var runsSinceFlake: Int
        /// `flakedRuns` in `runs`, and where it lies with 95 % confidence; no key where it never ran.
        var rate: Double?
        var rateLow: Double?
        var rateHigh: Double?
        /// How many attempts entered it, how many of these flaked, and how many failed for good.
        var attempts: Int
        var flakes: Int
        var failures: Int
        var flakesOfUncountedRuns: Int
        var firstSeen: String?
        var lastSeen: String?
        var isInNewestRun: Bool
        var lastFlake: LastFlake?
        var tests: [Test]
        /// All runs in blocks, in order: how many of each block entered the mark, and in how many it flaked.
        var trend: [Trend.Block]
        /// `needed`, `notSeen`, `broken` or `new`.
        var verdict: String
        var why: String
    }

    struct LastFlake: Encodable {
        var at: String?
        var test: String?
        var module: String?
        var message: String?
        var place: String?
    }

    struct Test: Encodable {
        var name: String
        var module: String?
        var flakes: Int
        /// The time that its retries took.
        var seconds: Double
    }
}

extension HistoryDocument {
    private static let trendWidth = 60

    init(_ history: History) {
        runs = history.runs.map { run in
            Run(
                id: run.id,
                startedAt: run.startedAt.map(Timestamp.text),
                unfinished: run.isUnfinished,
                countsMarks: run.countsMarks
            )
        }
        stale = history.enough
        marks = history.marks.map { mark in
            let evidence = mark.evidence
            return Mark(
                file: mark.text.file,
                line: mark.line,
                module: mark.text.module,
                reason: mark.text.reason,
                fixable: mark.text.fixable,
                maxRetryCount: mark.text.maxRetryCount,
                runs: evidence.runs,
                flakedRuns: evidence.flakedRuns,
                runsSinceFlake: evidence.runsSinceFlake,
                rate: evidence.runs == 0 ? nil : evidence.rate,
                rateLow: evidence.runs == 0 ? nil : evidence.interval.low,
                rateHigh: evidence.runs == 0 ? nil : evidence.interval.high,
                attempts: evidence.attempts,
                flakes: evidence.flakes,
                failures: evidence.failures,
                flakesOfUncountedRuns: evidence.flakesOfUncountedRuns,
                firstSeen: mark.firstSeen.map(Timestamp.text),
                lastSeen: mark.lastSeen.map(Timestamp.text),
                isInNewestRun: mark.isInNewestRun,
                lastFlake: mark.lastFlake.map { last in
                    LastFlake(
                        at: last.at.map(Timestamp.text),
                        test: last.test?.name,
                        module: last.test?.module,
                        message: last.test?.message,
                        place: last.test?.place
                    )
                },
                tests: mark.tests.map { cost in
                    Test(name: cost.name, module: cost.module, flakes: cost.flakes, seconds: cost.seconds)
                },
                trend: mark.trend(of: history, width: Self.trendWidth).blocks,
                verdict: mark.verdict.rawValue,
                why: mark.reason(enough: history.enough)
            )
        }
    }
}
