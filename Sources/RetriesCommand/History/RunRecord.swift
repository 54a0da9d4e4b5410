import Groundwork
import RetryReport

/// What a history keeps of one report: far less than the report, of which there may be thousands.
struct RunRecord {
    private(set) var run: History.Run
    private(set) var sightings: [Sighting]

    /// A mark, as the report has it.
    struct Sighting {
        /// What was counted. The file is empty and the line 0 where the report does not say, as that of version 0.6.0.
        var mark: MarkCount
        /// The tests that flaked because of it.
        var tests: [FlakedTest] = []

        var hasFlaked: Bool { mark.flakes + mark.failures > 0 || !tests.isEmpty }

        mutating func add(_ other: Sighting) {
            mark.add(other.mark)
            tests += other.tests
        }
    }

    init(_ report: Report) {
        run = History.Run(report)
        sightings = (report.marks ?? []).map { Sighting(mark: $0) }
        for retry in report.retries { add(Sighting(retry)) }
    }

    /// Takes over what a test that flaked says of its mark.
    private mutating func add(_ flake: Sighting) {
        guard let index = sightings.firstIndex(where: { $0.mark.identity == flake.mark.identity }) else {
            sightings.append(flake)
            return
        }
        sightings[index].add(flake)
        if run.isUnfinished, run.countsMarks {
            // A process that died may have told of the flake and not have come to count it.
            let flakes = sightings[index].tests.reduce(0) { $0 + $1.flakes }
            sightings[index].mark.flakes = max(sightings[index].mark.flakes, flakes)
            sightings[index].mark.runs = max(sightings[index].mark.runs, flakes + sightings[index].mark.failures)
        }
    }

    /// Adds another report of the same run: a shard's.
    mutating func add(_ shard: RunRecord) {
        run.isUnfinished = run.isUnfinished || shard.run.isUnfinished
        run.countsMarks = run.countsMarks && shard.run.countsMarks
        sightings += shard.sightings
    }

    /// How much it tells: of two copies of one report, the later one tells more.
    var weight: Int { sightings.reduce(run.isUnfinished ? 0 : 1) { $0 + $1.mark.runs + $1.tests.count } }
}

extension RunRecord.Sighting {
    fileprivate init(_ retry: FlakyTest) {
        mark = MarkCount(
            file: retry.file ?? "",
            line: retry.line ?? 0,
            module: retry.module,
            reason: retry.reason,
            fixable: retry.fixable,
            maxRetryCount: retry.maxRetriesAllowed
        )
        tests = [FlakedTest(retry)]
    }
}
