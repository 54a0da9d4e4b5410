/// What flakes cost, in whole runs.
enum Flakes {
    static func rows(rounds: Int, _ child: Child) throws -> [Row] {
        let some = try Pair(
            rounds: rounds,
            { try child.measure(.flaking(1_000, of: 10_000)).processorSeconds },
            { try child.measure(.plain(11_000)).processorSeconds }
        )
        let double = try Pair(
            rounds: rounds,
            { try child.measure(.flaking(2_000, of: 2_000)).processorSeconds },
            { try child.measure(.flaking(1_000, of: 1_000)).processorSeconds }
        )
        return [
            Row(
                what: "1,000 of 10,000 tests flake once",
                against: "11,000 plain tests",
                ratio: some.ratio,
                detail: some.inProcessorTime,
                mark: .atMost(1.15),
                why: "each flake is in the report on disk before it is announced: a lock, a write, a change of names"
            ),
            Row(
                what: "2,000 flakes",
                against: "1,000 flakes",
                ratio: double.ratio,
                detail: double.inProcessorTime,
                mark: .atMost(2.5)
            ),
        ]
    }
}

extension Pair {
    var inMilliseconds: String { "\((first.median * 1e3).text(0)) ms, \((second.median * 1e3).text(0)) ms" }

    var inProcessorTime: String { "\(inMilliseconds) of processor time" }
}
