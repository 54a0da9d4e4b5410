/// A failing process that is started again, against a retry inside of it.
enum ByHand {
    static func row(rounds: Int, _ child: Child) throws -> Row {
        // The least that running again can cost: no build, no SwiftPM, one test.
        let pair = try Pair(
            rounds: rounds,
            { try seconds { _ = try child.measure(.plain(1)) } },
            {
                let flaking = try child.measure(.flaking(100, of: 100)).seconds
                let passing = try child.measure(.flaking(0, of: 100)).seconds
                return max((flaking - passing) / 100, 1e-9)
            }
        )
        return Row(
            what: "the test process started again by hand, nothing built",
            against: "one in-process retry",
            ratio: pair.ratio,
            detail: "\((pair.first.median * 1e3).text(1)) ms, \((pair.second.median * 1e3).text(3)) ms",
            mark: nil
        )
    }
}
