import Foundation
import Groundwork
import RetryReport

/// A mark, and what became of it in the runs that are looked at.
struct MarkHistory {
    /// The mark as the newest run has it that entered it.
    private(set) var newest: MarkCount
    private(set) var evidence = Evidence()
    /// For each run whether it flaked in it; `nil` where the run did not enter it.
    private(set) var flaked: [Bool?] = []
    /// When the first and the last of these runs began; `nil` if none says.
    private(set) var firstSeen: Date?
    private(set) var lastSeen: Date?
    private(set) var lastFlake: LastFlake?
    /// The tests that flaked because of it, those that cost most first.
    private(set) var tests: [FlakedTest] = []
    /// Whether the newest run entered it. One that it did not enter may have been taken away.
    private(set) var isInNewestRun = false
    private(set) var verdict = MarkVerdict.new
    /// The reason for the verdict.
    private(set) var why = ""

    /// When the mark flaked last, and with what.
    struct LastFlake: Encodable {
        var at: Date?
        /// `nil` where the mode of the run allowed no flake, so that no test was retried.
        var test: String?
        var module: String?
        var message: String?
        var place: String?
    }

    init(_ mark: MarkCount) {
        newest = mark
    }

    var seconds: Double { tests.reduce(0) { $0 + $1.seconds } }

    /// Takes over what a run shows; runs are added in their order.
    mutating func add(_ sighting: RunRecord.Sighting, of run: History.Run, number: Int) {
        newest = sighting.mark
        firstSeen = firstSeen ?? run.startedAt
        lastSeen = run.startedAt ?? lastSeen
        flaked += Array(repeating: nil, count: number - flaked.count) + [sighting.hasFlaked]
        if sighting.hasFlaked {
            let last = sighting.tests.max { $0.startedAt ?? .distantPast < $1.startedAt ?? .distantPast }
            lastFlake = LastFlake(
                at: last?.startedAt ?? run.startedAt,
                test: last?.name,
                module: last?.module,
                message: last?.message,
                place: last?.place
            )
        }
        for test in sighting.tests { add(test) }
        evidence.add(sighting)
    }

    private mutating func add(_ test: FlakedTest) {
        // 0.6.0 did not tell a test's module.
        let index = tests.firstIndex { $0.name == test.name && ($0.module == nil || $0.module == test.module) }
        guard let index else { return tests.append(test) }
        tests[index].module = test.module
        tests[index].flakes += test.flakes
        tests[index].seconds += test.seconds
    }

    /// Says what is to be done, once all runs have been added.
    ///
    /// - Parameters:
    ///   - runs: How many there are.
    ///   - newest: Which of them is the newest that counts marks.
    ///   - enough: In how many runs a mark must not have flaked to be one that can go.
    mutating func conclude(runs: Int, newest: Int, enough: Int) {
        tests.sort { ($0.seconds, $1.fullName) > ($1.seconds, $0.fullName) }
        isInNewestRun = flaked.count > newest
        flaked += Array(repeating: nil, count: runs - flaked.count)
        verdict = MarkVerdict(evidence, enough: enough)
        why = verdict.reason(evidence, enough: enough) + (isInNewestRun ? "" : "; the newest run did not enter it")
    }
}

extension MarkHistory: Located {
    var file: String? { newest.file.isEmpty ? nil : newest.file }
    var line: Int? { newest.line == 0 ? nil : newest.line }
}

/// The marks of the runs looked at so far; each is known again in the next run although its line has shifted.
struct KnownMarks {
    /// Those of one file and one reason are together, in their order in the file.
    private var groups: [Key: [MarkHistory]] = [:]
    /// The files in which a reason is given.
    private var files: [String: Set<String>] = [:]

    private struct Key: Hashable {
        var file: String
        var reason: String
    }

    /// - Parameter records: All runs that are going to be added.
    init(in records: [RunRecord]) {
        for sighting in records.lazy.flatMap(\.sightings) where !sighting.mark.file.isEmpty {
            files[sighting.mark.reason, default: []].insert(sighting.mark.file)
        }
    }

    var all: [MarkHistory] { Array(groups.values.joined()) }

    /// Takes over what a run shows; runs are added in their order.
    ///
    /// - Parameter number: Which of the runs it is.
    mutating func add(_ record: RunRecord, number: Int) {
        for (key, sightings) in Dictionary(grouping: record.sightings, by: key) {
            let sightings = Self.joined(sightings)
            var marks = groups.removeValue(forKey: key) ?? []
            let matches = LineMatching.match(sightings.map(\.mark.line), to: marks.map(\.newest.line))
            for (sighting, match) in zip(sightings, matches) {
                if match == nil { marks.append(MarkHistory(sighting.mark)) }
                marks[match ?? marks.count - 1].add(sighting, of: record.run, number: number)
            }
            groups[key] = marks.sorted { $0.newest.line < $1.newest.line }
        }
    }

    /// What version 0.6.0 told has no file: it belongs to the only file with its reason, if there is one such file.
    private func key(of sighting: RunRecord.Sighting) -> Key {
        let (file, reason) = (sighting.mark.file, sighting.mark.reason)
        guard file.isEmpty, let files = files[reason], let only = files.first, files.count == 1 else {
            return Key(file: file, reason: reason)
        }
        return Key(file: only, reason: reason)
    }

    /// In their order, with those on one line as one: tests of two modules entered it, or two shards. What a shard of version
    /// 0.6.0 told has no line, and is the first one's.
    private static func joined(_ sightings: [RunRecord.Sighting]) -> [RunRecord.Sighting] {
        sightings.sorted { $0.mark.line < $1.mark.line }.reduce(into: []) { joined, sighting in
            if joined.last?.mark.line == sighting.mark.line {
                joined[joined.count - 1].add(sighting)
            } else if let last = joined.last, last.mark.line == 0 {
                joined = [sighting]
                joined[0].add(last)
            } else {
                joined.append(sighting)
            }
        }
    }
}

/// Knows marks again whose lines have shifted: those of one file and one reason, by their order.
enum LineMatching {
    /// For each of `lines`, which of the known ones it is; `nil` for a new one.
    ///
    /// Order is kept: the second mark of a file does not become the first. As many are known again as can be; if there are
    /// several ways, because a run has fewer marks than are known (not every test ran) or more (some are new), it is the one
    /// in which the lines have shifted the least.
    ///
    /// - Parameters:
    ///   - lines: The lines in a run, in ascending order.
    ///   - known: The lines where the known marks were last, in ascending order.
    static func match(_ lines: [Int], to known: [Int]) -> [Int?] {
        guard lines != known else { return Array(lines.indices) }
        guard lines.count > known.count else { return choose(from: known, for: lines) }
        var matches = [Int?](repeating: nil, count: lines.count)
        for (index, line) in choose(from: lines, for: known).enumerated() { matches[line] = index }
        return matches
    }

    /// For each of `few` one of `many`, both in ascending order, so that all together are as near as can be.
    private static func choose(from many: [Int], for few: [Int]) -> [Int] {
        let sane = { (line: Int) in ReportCount(wrappedValue: line).wrappedValue }
        let (many, few) = (many.map(sane), few.map(sane))
        // costs[i][j] is the least for the first i of `few` among the first j of `many`; of use where j is at least i.
        var costs = [[Int]](repeating: [Int](repeating: 0, count: many.count + 1), count: few.count + 1)
        for i in few.indices {
            costs[i + 1][i] = .max
            for j in i..<many.count {
                costs[i + 1][j + 1] = min(costs[i + 1][j], costs[i][j] + abs(many[j] - few[i]))
            }
        }
        var chosen: [Int] = []
        var j = many.count
        for i in few.indices.reversed() {
            while costs[i + 1][j - 1] == costs[i + 1][j] { j -= 1 }
            j -= 1
            chosen.append(j)
        }
        return chosen.reversed()
    }
}

/// A test that flaked because of a mark, in one run or in several.
struct FlakedTest: Encodable {
    var name: String
    var module: String?
    /// When it flaked, and with what, in the one run.
    var startedAt: Date?
    var message: String?
    var place: String?
    /// How many attempts flaked.
    var flakes: Int
    /// The time that its retries took.
    var seconds: Double

    private enum CodingKeys: CodingKey {
        case name, module, flakes, seconds
    }

    init(_ retry: FlakyTest) {
        let failure = retry.attempts.last { $0.outcome == .flaked }?.mainFailure
        // Before each retry, an attempt had flaked; version 0.6.0 tells no more than the number of retries.
        let flakes = retry.attempts.isEmpty ? retry.attemptedRetries : retry.attempts.count { $0.outcome == .flaked }
        name = retry.name
        module = retry.module
        startedAt = retry.attempts.first?.startedAt
        message = failure?.displayMessage
        place = failure?.place
        self.flakes = max(1, flakes)
        seconds = retry.timeLost
    }

    var fullName: String { module.map { "\($0) \(name)" } ?? name }
}
