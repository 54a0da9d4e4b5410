import Foundation
import RetryReport

/// The `retries` command against `jq`, on the same files.
enum Reading {
    private static let files = 100
    private static let recordsPerFile = 1_000
    /// How long people wait without noticing, in seconds.
    private static let moment = 0.1

    static func rows(rounds: Int, _ folder: URL) throws -> [Row] {
        var many = Row(
            what: "retries report --format json, of 100,000 records",
            against: "jq -s 'map(.retries[]) | sort_by(.name)'",
            mark: .atMost(1.5)
        )
        var few = Row(what: "the same of 1,000 records", against: "0.1 s", mark: .atMost(1))
        guard let retries = Tool.retries else {
            many.detail = Tool.lacksRetries
            return [many]
        }
        let inputs = try write(into: folder)
        let merged = folder.appendingPathComponent("merged.json").path
        func read(_ files: [String]) throws -> Double {
            try seconds { try retries.run(["report"] + files + ["--format", "json", "--output", merged]) }
        }
        let short = try (0..<rounds).map { _ in try read([inputs[0]]) }
        few.ratio = short.median / moment
        few.detail = "\((short.median * 1e3).text(0)) ms"
        guard let jq = Tool.named("jq") else {
            many.detail = "jq is not installed"
            return [many, few]
        }
        let pair = try Pair(
            rounds: rounds,
            { try read(inputs) },
            { try seconds { try jq.run(["-s", "map(.retries[]) | sort_by(.name)"] + inputs) } }
        )
        many.ratio = pair.ratio
        many.detail = pair.inMilliseconds
        return [many, few]
    }

    private static func write(into folder: URL) throws -> [String] {
        try (0..<files).map { file in
            let url = folder.appendingPathComponent("shard-\(file).json")
            let run = Report.Run(id: "run-\(file)", startedAt: Date(timeIntervalSince1970: 1_700_000_000))
            let retries = (0..<recordsPerFile).map { record in retry(record, of: file) }
            let report = Report(run: run, retries: retries)
            try Data(report.json()).write(to: url)
            return url.path
        }
    }

    private static func retry(_ record: Int, of file: Int) -> FlakyTest {
        let startedAt = Date(timeIntervalSince1970: 1_700_000_000 + Double(record))
        let failure = Failure(
            message: "XCTAssertTrue failed - the token arrived late",
            file: "Tests/ShopTests/Shop.swift",
            line: 31,
            kind: .assertion
        )
        return FlakyTest(
            name: "-[Shop\(file)Tests testNumber\(record)]",
            module: "ShopTests",
            maxRetriesAllowed: 1,
            attemptedRetries: 1,
            reason: "the token arrives late",
            fixable: true,
            outcome: .recovered,
            file: "Tests/ShopTests/Shop.swift",
            line: 30,
            attempts: [
                AttemptRecord(number: 1, outcome: .flaked, startedAt: startedAt, duration: 0.01, failures: [failure]),
                AttemptRecord(number: 2, outcome: .passed, startedAt: startedAt + 5, duration: 0.01),
            ]
        )
    }
}
