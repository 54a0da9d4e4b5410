/// Flakes in whole runs of tests, each with its retry and its writes of the report.
enum Flakes {
    static func rows(_ rounds: Int) throws -> [Row] {
        let (count, rounds) = (1_000, min(rounds, 3))  // each takes seconds
        let some = try Pair(
            rounds: rounds,
            { try Child.measure("flaking", count, count).0 },
            { try Child.measure("flaking", 0, count).0 }
        )
        let each = zip(some.first, some.second).map { ($0 - $1) / Double(count) }.median
        // Four processes keep the machine busy, which is no reason to wait here.
        let atOnce = ["RETRYABLE_RETRY_DELAY": "0"]
        func flaking(_ count: String, times: Int) throws -> Double {
            let arguments = ["--process", "flaking", count, count]
            return try seconds { try Child.run(nil, arguments, times: times, environment: atOnce) }
        }
        let shared = try Pair(rounds: rounds, { try flaking("200", times: 4) }, { try flaking("800", times: 1) })
        return [
            Row(
                what: "a flake, of 1,000 in one process",
                against: "2 ms",
                ratio: each * 1e3 / 2,
                detail: "\((each * 1e3).text(2)) ms",
                // A run with 20 flakes takes 0.04 s longer at the mark, without its retries. A run with 1,000 would take 2 s, and
                // has other troubles.
                atMost: 1
            ),
            Row(
                what: "4 processes with 200 flakes each, at one report",
                against: "one with 800",
                ratio: shared.ratio,
                detail: shared.detail("ms", 1e3),
                // The processes take turns at the file. At the mark, each flake of a parallel run takes 0.02 s longer.
                atMost: 8
            ),
        ]
    }
}

/// The `retries` command, which stands beside this program.
enum Reading {
    static func row(_ rounds: Int) throws -> Row {
        let report = "\(Child.folder)/report.json"
        try Child.run(nil, ["--process", "flaking", "1000", "1000"], report: report)
        let reading = try (0..<rounds).map { _ in try seconds { try Child.run("retries", ["report", report]) } }
        return Row(
            what: "retries report, of 1,000 records",
            against: "0.2 s",
            ratio: reading.median / 0.2,
            detail: "\((reading.median * 1e3).text(0)) ms",
            // Up to here, a command seems to answer at once.
            atMost: 1
        )
    }
}
