/// What an instance takes that has not run.
enum Memory {
    static func row(rounds: Int, _ child: Child) throws -> Row {
        let count = 100_000
        let pair = try Pair(
            rounds: rounds,
            { Double(try child.measure(.instances(count, retrying: true)).grown) / Double(count) },
            { Double(try child.measure(.instances(count, retrying: false)).grown) / Double(count) }
        )
        return Row(
            what: "memory per instance of RetryableTestCase",
            against: "XCTestCase",
            ratio: pair.ratio,
            detail: "\(pair.first.median.text(0)) bytes, \(pair.second.median.text(0)) bytes",
            mark: .atMost(1.25)
        )
    }
}
