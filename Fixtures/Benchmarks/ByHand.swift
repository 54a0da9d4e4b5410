/// A failing process that is started again, against a retry inside of it.
enum ByHand {
    /// Enough of them to take many times what a whole run without any does.
    private static let retries = 1_000

    static func row(rounds: Int, _ child: Child) throws -> Row {
        var again: [Double] = []
        var retrying = Difference(with: [], without: [])
        for _ in 0..<rounds {
            // The least that running again can cost: no build, no SwiftPM, one test.
            again.append(try seconds { _ = try child.measure(.plain(1)) })
            retrying.with.append(try child.measure(.flaking(retries, of: retries)).seconds)
            retrying.without.append(try child.measure(.flaking(0, of: retries)).seconds)
        }
        let retry = retrying.median.map { $0 / Double(retries) }
        let shown = retry.map { "\(($0 * 1e3).text(3)) ms" } ?? "not above the noise"
        return Row(
            what: "the test process started again by hand, nothing built",
            against: "one in-process retry",
            ratio: retry.map { again.median / $0 },
            detail: "\((again.median * 1e3).text(1)) ms, \(shown)",
            mark: nil
        )
    }
}
