/// What flakes cost, in whole runs.
enum Flakes {
    static func rows(rounds: Int, _ child: Child) throws -> [Row] {
        let some = try Pair(
            rounds: rounds,
            { try child.measure(.flaking(1_000, of: 10_000)).processorSeconds },
            { try child.measure(.plain(11_000)).processorSeconds }
        )
        let alone = 800
        let shared = try Pair(
            rounds: rounds,
            { try child.seconds(of: .flaking(alone / 4, of: alone / 4), times: 4) },
            { try child.seconds(of: .flaking(alone, of: alone), times: 1) }
        )
        return [
            Row(
                what: "1,000 of 10,000 tests flake once",
                against: "11,000 plain tests",
                ratio: some.ratio,
                detail: some.inProcessorTime,
                mark: .atMost(1.25),
                why: "each flake is in the report on disk before it is announced, and the report is written whole"
            ),
            Row(
                what: "4 processes with 200 flakes each, at one report",
                against: "one with 800",
                ratio: shared.ratio,
                detail: shared.inMilliseconds,
                mark: .atMost(6)
            ),
        ]
    }
}

extension Pair {
    var inMilliseconds: String { "\((first.median * 1e3).text(0)) ms, \((second.median * 1e3).text(0)) ms" }

    var inProcessorTime: String { "\(inMilliseconds) of processor time" }
}
