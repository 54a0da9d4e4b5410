import Foundation
import RetryReport

/// What it takes to look at many runs, and to make them.
enum ManyRuns {
    private static let reports = 1_000
    private static let marksPerReport = 100
    /// The same in jq's words: for each mark, the sums over all reports.
    private static let query = """
        map(.marks[]) | group_by(.file, .line, .reason)
        | map({file: .[0].file, reason: .[0].reason, runs: map(.runs) | add, flakes: map(.flakes) | add})
        """
    private static let repetitions = 50

    static func rows(rounds: Int, _ folder: URL) throws -> [Row] {
        var history = Row(
            what: "retries history, of 1,000 reports with 100 marks each",
            against: "jq -s, adding up the same",
            mark: .atMost(1.5)
        )
        var growth = Row(what: "the same of 10,000 reports", against: "of 1,000", mark: .atMost(12))
        guard let retries = Tool.retries else {
            history.detail = Tool.lacksRetries
            return [history]
        }
        let few = try write(reports, into: folder.appendingPathComponent("few"))
        let many = try write(reports * 10, into: folder.appendingPathComponent("many"))
        defer { [few, many].forEach(remove) }
        func read(_ folder: URL) throws -> Double { try seconds { try retries.run(["history", folder.path]) } }

        if let jq = Tool.named("jq") {
            let files = try FileManager.default.contentsOfDirectory(atPath: few.path).map { "\(few.path)/\($0)" }
            let pair = try Pair(
                rounds: rounds,
                { try read(few) },
                { try seconds { try jq.run(["-s", query] + files) } }
            )
            (history.ratio, history.detail) = (pair.ratio, pair.inMilliseconds)
        } else {
            history.detail = "jq is not installed"
        }
        // Each takes so long that a third of the rounds tells as much.
        let pair = try Pair(rounds: rounds / 3, { try read(many) }, { try read(few) })
        (growth.ratio, growth.detail) = (pair.ratio, pair.inMilliseconds)
        return [history, growth, try repeating(retries, rounds: rounds, few)]
    }

    /// What `retries repeat` adds to each run: beside a loop of the shell, with runs that do nothing but leave a report.
    private static func repeating(_ retries: Tool, rounds: Int, _ folder: URL) throws -> Row {
        let report = "\(folder.path)/0.json"
        var row = Row(what: "what retries repeat adds to a run", against: "20 ms", mark: .below(1))
        guard let shell = Tool.named("sh") else { return row }
        let copy = #"cp "$0" "$RETRYABLE_REPORT""#
        let loop = #"RETRYABLE_REPORT="$0.copy"; for run in $(seq \#(repetitions)); do sh -c "$1" "$0"; done"#
        let pair = try Pair(
            rounds: rounds,
            { try seconds { try retries.run(["repeat", "\(repetitions)", "--", "sh", "-c", copy, report]) } },
            { try seconds { try shell.run(["-c", "export RETRYABLE_REPORT; \(loop)", report, copy]) } }
        )
        let added = zip(pair.first, pair.second).map { ($0 - $1) / Double(repetitions) }.median
        row.ratio = added / 0.020
        row.detail = "\((added * 1e3).text(1)) ms"
        return row
    }

    private static func write(_ count: Int, into folder: URL) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let marks = (0..<marksPerReport).map { number in
            MarkCount(
                file: "Tests/ShopTests/Shop\(number % 10)Tests.swift",
                line: 10 + number,
                module: "ShopTests",
                reason: "the answer number \(number) arrives late",
                fixable: true,
                maxRetryCount: 1,
                runs: 1
            )
        }
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let run = Report.Run(id: "run-0", startedAt: start, finishedAt: start + 60)
        let text = String(decoding: try Report(run: run, marks: marks).json(), as: UTF8.self)
        for number in 0..<count {
            let report = text.replacingOccurrences(of: "run-0", with: "run-\(number)")
            try Data(report.utf8).write(to: folder.appendingPathComponent("\(number).json"))
        }
        return folder
    }
}
