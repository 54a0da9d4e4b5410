import Foundation
import Groundwork
import RetryReport

/// What is known of one flaky test, as Markdown for whoever mends it.
struct Brief {
    /// The records of the test, at least one, in the order of their runs.
    let records: [TestRecord]
    let history: History
    /// The newest run in which it flaked.
    let overview: Overview
    let findings: WhyFindings?

    private var newest: TestRecord { records[records.count - 1] }

    var text: String {
        let marks = history.marks.filter { $0.tests.contains { $0.fullName == newest.fullName } }
        var facts = ["\(newest.fullName): \(newest.ending)"]
        if let commit = overview.origin.commit { facts.append("newest flake: commit \(commit)") }
        if marks.isEmpty { facts += newest.details() + ["the reports do not count how often its section ran"] }
        var parts = ["# A flaky test", block(facts)] + marks.map { block(lines(of: $0)) }
        parts += ["## What failed", block(failures), "## The source"] + source
        if let findings { parts += ["## What retries why found", block(findings.lines)] }
        return (parts + commands(for: marks)).joined(separator: "\n\n") + "\n"
    }

    /// Text from tests and from files stands only in such blocks, which none of its lines can end.
    private func block(_ lines: [String], _ language: String = "text") -> String {
        let lines = lines.map(\.onOneLine.atLineStart)
        let ticks = lines.flatMap { $0.split { $0 != "`" } }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(2, ticks) + 1)
        return (["\(fence)\(language)"] + lines + [fence]).joined(separator: "\n")
    }

    private func lines(of mark: MarkHistory) -> [String] {
        var lines = TextLines(hasColor: false)
        lines.add(mark)
        let groups = history.groups.filter { $0.marks.contains { $0.newest.identity == mark.newest.identity } }
        for line in groups.flatMap({ [$0.sentence] + $0.facts }) { lines.add(line) }
        return lines.text.split(separator: "\n").map(String.init)
    }

    /// The last failure of each kind, the most frequent first.
    private var failures: [String] {
        let failures = records.flatMap(\.attempts).flatMap { attempt in
            attempt.failures.filter { !$0.isAftermath }.map { (at: attempt.startedAt, failure: $0) }
        }
        let kinds = Dictionary(grouping: failures) { FailureKind($0.failure.message) }.values
        return kinds.sorted { ($1.count, $0[0].at) < ($0.count, $1[0].at) }.flatMap { kind in
            let last = kind[kind.count - 1].failure
            let message = last.displayMessage.cut(to: 5000).components(separatedBy: "\n").map { "  \($0)" }
            return ["\(kind.count.of("time")) since \(Times.text(kind[0].at))\(last.atPlace):"] + message
        }
    }

    /// The files that the newest record names, the section's first, without other tests; `>` marks the lines that it names.
    private var source: [String] {
        let places = ([newest] + newest.attempts.flatMap(\.failures) as [any Located]).filter { $0.file != nil }
        let this = JUnitName(newest.name, module: nil).withoutArguments
        var seen: Set<String?> = []
        return places.filter { seen.insert($0.file).inserted }.map { place in
            let file = place.file ?? ""
            guard let lines = overview.source(of: place) else { return "\(MarkdownText.code(file)) is not here." }
            let named = Set(places.filter { $0.file == file }.compactMap(\.line))
            let tests = SwiftDeclarationParser.declarations(in: lines.joined(separator: "\n")).filter(\.isTest)
            let others = tests.filter { test in
                JUnitName(suite: test.key.path.joined(separator: "."), name: test.key.name) != this
                    && named.isDisjoint(with: test.lines)
            }
            return block(["// \(file)"] + lines.numbered(without: others.map(\.lines), marking: named), "swift")
        }
    }

    private func commands(for marks: [MarkHistory]) -> [String] {
        let cause = findings?.cause
        let rate = cause?.rate ?? marks.map(rate).max() ?? 0
        // What should fail 12 times fails 6 times or more in 98 of 100 cases, and 6 against none is p < 0.05.
        let count = rate > 0 ? Int(min((12 / rate).rounded(.up), Double(RepeatCommand.most))) : 100
        let seed = newest.shownSeed.map { "\(EnvironmentVariable.taskSeed.rawValue)=\($0.seed) " } ?? ""
        let start = "\(seed)swift run retries repeat \(count)\(cause.map { " --under \($0.name.shellWord)" } ?? "")"
        let package = overview.package.map { " --package-path \($0.shellWord)" } ?? ""
        let test = "swift test --skip-build\(package) --filter \(newest.filter.shellWord)"
        // Runs of several tests are kept apart.
        let before = "before-\(newest.name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })"
        func run(_ option: String) -> String {
            block(["swift build --build-tests\(package)", "\(start) \(option) -- \(test)"], "sh")
        }
        return [
            "## Make it fail", run("--until-flake"), "## Show that it is mended", "Before the change:",
            run("--keep \(before)"), "With the change:", run("--than \(before)"),
        ]
    }

    /// The part of a mark's rate that is the newest record's test's, where several tests enter the mark.
    private func rate(of mark: MarkHistory) -> Double {
        let all = mark.tests.reduce(0) { $0 + $1.flakes }
        let own = mark.tests.first { $0.fullName == newest.fullName }?.flakes ?? 0
        return mark.evidence.rate * Double(own) / Double(all)
    }
}

/// What `retries why --format json` wrote.
struct WhyFindings: Decodable {
    struct Row: Decodable {
        let name: String
        let runs, bad: Int
        var rate: Double { Double(bad) / Double(max(runs, 1)) }
    }

    private let conditions: [Row]
    private let causes, sentences: [String]
    /// The tests that ran; `nil` in what an earlier version wrote.
    private let tests: [String]?
    private let command: String?

    init(contentsOf file: InputFile, in context: CommandContext) throws {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(file.bytes(in: context)))
        } catch let error as ReportFileError {
            throw Problem("\(file.name) \(error.cause)")
        } catch {
            throw Problem("\(file.name) is not what retries why --format json writes")
        }
    }

    /// Whether it is of other tests than this one. Without events, names lack suites, or are display names, which a report lacks.
    func lacks(_ test: TestRecord) -> Bool {
        let name = TestOutput.name(of: test)
        return tests?.contains { $0 == name || name.hasSuffix("/\($0)") || $0.hasPrefix("\"") } == false
    }

    private var count: Int { tests?.count ?? 1 }

    fileprivate var lines: [String] {
        let rows = conditions.map { row in
            (row.name, Tally(runs: row.runs, bad: row.bad).text + (causes.contains(row.name) ? ", a cause" : ""))
        }
        let table = Syntax.table(rows).components(separatedBy: "\n")
        let note = count == 1 ? [] : ["These were runs of \(count.of("test")), of which another may have this cause."]
        return ["runs that failed or flaked:"] + table + sentences + (command.map { ["  \($0)"] } ?? []) + note
    }

    /// The cause under which it fails most often; `nil` if it fails less often under each, or if other tests ran beside it.
    fileprivate var cause: Row? {
        let asIs = conditions.first?.rate ?? 0
        return conditions.filter { count == 1 && causes.contains($0.name) && $0.rate > asIs }.max { $0.rate < $1.rate }
    }
}

extension [String] {
    /// These lines with their numbers, and three dots in place of some declarations and the comments above them.
    fileprivate func numbered(without ranges: [ClosedRange<Int>], marking marked: Set<Int>) -> [String] {
        let hidden = ranges.reduce(into: Set<Int>()) { hidden, range in
            let above = self[..<(range.lowerBound - 1)].reversed()
            let comments = above.prefix { $0.drop(while: \.isWhitespace).hasPrefix("//") }
            hidden.formUnion((range.lowerBound - comments.count)...range.upperBound)
        }
        return indices.filter { !hidden.contains($0 + 1) }.flatMap { index in
            let gap = String(repeating: " ", count: "\(count)".count - "\(index + 1)".count)
            let text = self[index].isEmpty ? "" : "  \(self[index].replacing(["\t": "    ", "\r": ""]))"
            let line = "\(marked.contains(index + 1) ? ">" : " ") \(gap)\(index + 1)\(text)"
            return hidden.contains(index) ? ["   …", line] : [line]
        }
    }
}
