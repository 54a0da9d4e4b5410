/// What very many rounds cost, in whole runs.
enum LongRuns {
    static func rows(rounds: Int, _ child: Child) throws -> [Row] {
        var long: [Workload.Sample] = []
        var short: [Workload.Sample] = []
        for _ in 0..<rounds {
            short.append(try child.measure(.rounds(2_000)))
            long.append(try child.measure(.rounds(20_000)))
        }
        let time = Pair(long.map(\.processorSeconds), short.map(\.processorSeconds))
        let memory = Pair(long.map { Double($0.peak) }, short.map { Double($0.peak) })
        let megabytes = { (bytes: [Double]) in "\((bytes.median / 1e6).text(1)) MB" }
        return [
            Row(
                what: "20,000 rounds of one test",
                against: "2,000 rounds",
                ratio: time.ratio,
                detail: time.inProcessorTime,
                mark: .atMost(12)
            ),
            Row(
                what: "20,000 rounds of one test: peak memory",
                against: "2,000 rounds",
                ratio: memory.ratio,
                detail: "\(megabytes(memory.first)), \(megabytes(memory.second))",
                mark: .atMost(1.5),
                why:
                    "XCTest frees no test that has run, nor the two timers of 30 days that it sets for it; they alone come to 2"
            ),
        ]
    }
}
