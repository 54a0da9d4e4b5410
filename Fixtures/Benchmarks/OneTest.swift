import Foundation

/// A process of one passing test, which is what `swift test --parallel` starts for each test.
enum OneTest {
    /// So short a process needs many to be measured.
    private static let processesPerRound = 20

    static func row(rounds: Int, _ child: Child) throws -> Row {
        let report = child.folder.appendingPathComponent("one.json")
        defer { remove(report) }
        func processorSeconds(retrying: Bool) throws -> Double {
            try child.wholeProcessorSeconds(of: .one(retrying: retrying), report: report)
        }
        _ = try processorSeconds(retrying: true)  // puts the run's report in place
        let pair = try Pair(
            rounds: rounds * processesPerRound,
            { try processorSeconds(retrying: true) },
            { try processorSeconds(retrying: false) }
        )
        func shown(_ seconds: [Double]) -> String { "\((seconds.median * 1e3).text(1)) ms" }
        return Row(
            what: "a process of one passing RetryableTestCase test, beside its run's report",
            against: "the same with XCTestCase",
            ratio: pair.first.median / pair.second.median,
            detail: "\(shown(pair.first)), \(shown(pair.second)) of processor time",
            mark: .atMost(1.10)
        )
    }
}
