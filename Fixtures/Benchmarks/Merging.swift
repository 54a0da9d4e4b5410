import Foundation
import RetryReport

/// The `retries` command against `jq`, on the same files.
enum Merging {
    private static let files = 100
    private static let recordsPerFile = 1_000

    static func row(rounds: Int, _ folder: URL) throws -> Row {
        var row = Row(
            what: "merging 100,000 records with retries",
            against: "jq -s",
            ratio: nil,
            detail: "",
            mark: .below(1)
        )
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let retries = own.appendingPathComponent("retries")
        guard FileManager.default.isExecutableFile(atPath: retries.path) else {
            row.detail = "no retries beside this program: swift build -c release --product retries"
            return row
        }
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let jqs = path.map { URL(fileURLWithPath: "\($0)/jq") }
        guard let jq = jqs.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            row.detail = "jq is not installed"
            return row
        }
        let inputs = try write(into: folder)
        let merged = folder.appendingPathComponent("merged.json").path
        let pair = try Pair(
            rounds: rounds,
            { try seconds { try run(retries, ["merge"] + inputs + ["--output", merged]) } },
            { try seconds { try run(jq, ["-s", "{retries: (map(.retries) | add)}"] + inputs) } }
        )
        row.ratio = pair.ratio
        row.detail = pair.inMilliseconds
        return row
    }

    /// A tool that did not do what it was asked to.
    struct Failed: Error, CustomStringConvertible {
        var tool: String
        var status: Int32
        var description: String { "\(tool) ended with \(status)" }
    }

    private static func run(_ tool: URL, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(tool: tool.lastPathComponent, status: process.terminationStatus)
        }
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

    private static func retry(_ record: Int, of file: Int) -> Retry {
        let startedAt = Date(timeIntervalSince1970: 1_700_000_000 + Double(record))
        let failure = Failure(
            message: "XCTAssertTrue failed - the token arrived late",
            file: "Tests/ShopTests/Shop.swift",
            line: 31,
            kind: .assertion
        )
        return Retry(
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
                Retry.Attempt(number: 1, outcome: .flaked, startedAt: startedAt, duration: 0.01, failures: [failure]),
                Retry.Attempt(number: 2, outcome: .passed, startedAt: startedAt + 5, duration: 0.01),
            ]
        )
    }
}
