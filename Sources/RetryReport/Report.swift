import Foundation

/// Everything that was retried in one run of the tests: the content of `retryable-retries.json`.
///
/// The five keys of ``TestRecord`` that version 0.6.0 wrote keep their names and meanings; all else stands beside them.
package struct Report: Hashable, Decodable, Sendable {
    /// The schema that this package writes. Reading does not depend on it: keys are only ever added.
    static let schemaVersion = 1

    /// The run of the tests; `nil` in a file of version 0.6.0.
    package var run: Run?

    /// The tests that flaked, sorted by name, then module.
    package var tests: [TestRecord]

    /// The steps that needed a retry, in the order in which they ended.
    package var steps: [Step]

    /// The sections that ran, sorted by file, line, module and reason; `nil` if they were not counted.
    package var marks: [MarkCount]?

    package init(run: Run? = nil, tests: [TestRecord] = [], steps: [Step] = [], marks: [MarkCount]? = nil) {
        self.run = run
        self.tests = tests
        self.steps = steps
        self.marks = marks
    }

    private enum CodingKeys: String, CodingKey {
        case run, steps, marks
        case tests = "retries"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        run = try values.optional(.run)
        tests = try values.decode([TestRecord].self, forKey: .tests)
        (steps, marks) = (try values.optional(.steps) ?? [], try values.optional(.marks))
    }
}

extension Report {
    /// One run of the tests: one `swift test`, one `xcodebuild test`.
    package struct Run: Hashable, Sendable {
        package var id: String
        package var startedAt: Date
        /// The end of the last process of the run; `nil` while one goes on, and for good if one died.
        package var finishedAt: Date?
        /// The processes of the run that have begun and not ended: once the run is over, all of them have died.
        package var unfinished = 0
        /// The treatment of failures in sections: `retry` or `strict`.
        package var mode = "retry"
        /// The other settings of this run, by the names of their environment variables.
        package var settings: [String: String] = [:]
        package var origin = RunOrigin.unknown
    }
}

extension Report.Run: Decodable {
    private enum CodingKeys: CodingKey {
        case id, startedAt, finishedAt, unfinished, mode, settings
    }

    package init(id: String, startedAt: Date) {
        self.id = id
        self.startedAt = startedAt
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        startedAt = try values.decode(Date.self, forKey: .startedAt)
        finishedAt = try values.decodeIfPresent(Date.self, forKey: .finishedAt)
        unfinished = try values.count(.unfinished)
        mode = try values.decodeIfPresent(String.self, forKey: .mode) ?? "retry"
        settings = try values.decodeIfPresent([String: String].self, forKey: .settings) ?? [:]
        origin = try RunOrigin(from: decoder)
    }

    var json: [String: String] {
        get throws {
            var values: [String: any Encodable] = ["id": id, "mode": mode, "startedAt": startedAt]
            values["finishedAt"] = finishedAt
            values["unfinished"] = unfinished == 0 ? nil : unfinished
            values["settings"] = settings.isEmpty ? nil : settings
            for (key, part) in RunOrigin.parts { values[key] = origin[keyPath: part] }
            return try values.mapValues { try JSONEncoder.ofReports.text(of: $0) }
        }
    }
}

// MARK: - Merging

extension Report {
    /// Merges several reports into one, sorted.
    ///
    /// Records are neither dropped nor combined: a test that flaked in two shards has two. Each record names its run, unless
    /// there is only one report. Of a mark that differs between runs, the newest run's counts. If the runs were in different
    /// folders, all paths are from the root of the repository.
    package init(merging reports: [Report]) {
        let folders = Set(reports.map(\.run?.origin.folder))
        let reports = folders.count > 1 ? reports.map(\.rooted) : reports
        func end(_ report: Report) -> Date { report.run?.end ?? .distantPast }
        let counted = reports.sorted { end($0) < end($1) }
            .flatMap { report in (report.marks ?? []).map { ($0, report.run?.id ?? "") } }
        var marks: MarkCounts = [:]
        var runs: [MarkCount.Identity: String] = [:]
        for (mark, run) in counted {
            marks.add([mark])
            // Shards of one run share a mark, as its calls do.
            let isOfSameRun = runs.updateValue(run, forKey: mark.identity) == run
            if !isOfSameRun { marks[mark.identity]?.mark.until = mark.mark.until }
        }
        self.init(
            run: Run(merging: reports.compactMap(\.run)),
            tests: reports.flatMap { report in
                report.tests.map { test in
                    var test = test
                    if reports.count > 1 { test.run = test.run ?? report.run?.id }
                    return test
                }
            },
            steps: reports.flatMap(\.steps),
            marks: reports.contains { $0.marks != nil } ? marks.sorted : nil
        )
        if folders.count > 1 { run?.origin.folder = "" }
        tests.sort { ($0.name, $0.module ?? "", $0.run ?? "") < ($1.name, $1.module ?? "", $1.run ?? "") }
    }

    private var rooted: Report {
        var report = self
        let origin = run?.origin ?? .unknown
        report.run?.origin.sources = origin.rootSources
        func root(_ file: inout String?) { file = file.map(origin.rooted) }
        for test in tests.indices {
            root(&report.tests[test].file)
            for attempt in tests[test].attempts.indices {
                for failure in tests[test].attempts[attempt].failures.indices {
                    root(&report.tests[test].attempts[attempt].failures[failure].file)
                }
            }
        }
        for step in steps.indices { root(&report.steps[step].file) }
        for (index, mark) in (marks ?? []).enumerated() { report.marks?[index].file = origin.rooted(mark.file) }
        return report
    }
}

extension Report.Run {
    private static let merged = "merged-"

    /// The runs that were merged, such as the shards of one; the run itself if none were.
    package struct Parts: Sendable {
        package fileprivate(set) var identities: Set<String>
        fileprivate let commit: String?

        /// Whether both are of one run, some shards of which may have run again.
        package func isRerun(of other: Parts) -> Bool { commit != nil && isOfRun(of: other) && commit == other.commit }

        /// Whether both may be of one run. Reports of two commits, each with shards of its own, may share one that a build system
        /// has cached.
        package func isOfRun(of other: Parts) -> Bool {
            let (own, others) = (identities, other.identities)
            let isPart = own.isStrictSubset(of: others) || others.isStrictSubset(of: own)
            let isOfOneCommit = commit == nil || other.commit == nil || commit == other.commit
            return !identities.isDisjoint(with: other.identities) && (isOfOneCommit || isPart)
        }

        package mutating func formUnion(_ other: Parts) { identities.formUnion(other.identities) }
    }

    package var parts: Parts {
        let identities = id.split(separator: "+").map { part in
            String(part.dropFirst(part.hasPrefix(Self.merged) ? Self.merged.count : 0))
        }
        return Parts(identities: Set(identities), commit: origin.commit)
    }

    /// The time by which the newest is known, also of runs that were merged; of one that died, its start.
    fileprivate var end: Date { finishedAt ?? startedAt }

    /// Spans the first start to the last end. It has no end if one of the runs has none, because that one died.
    fileprivate init?(merging runs: [Report.Run]) {
        guard let first = runs.first else { return nil }
        var origin = RunOrigin(common: runs.map(\.origin))
        // A build system may have cached the other shards.
        if runs.allSatisfy({ $0.origin.commit != nil }) {
            origin.commit = runs.max { $0.end < $1.end }?.origin.commit
        }
        let ids = Set(runs.flatMap(\.parts.identities)).sorted()
        self.init(
            id: ids.count == 1 ? ids[0] : Self.merged + ids.joined(separator: "+"),
            startedAt: runs.map(\.startedAt).min() ?? first.startedAt,
            finishedAt: runs.contains { $0.finishedAt == nil } ? nil : runs.compactMap(\.finishedAt).max(),
            unfinished: runs.reduce(0) { $0 + $1.unfinished },
            mode: runs.allSatisfy { $0.mode == first.mode } ? first.mode : "mixed",
            settings: first.settings.filter { name, value in runs.allSatisfy { $0.settings[name] == value } },
            origin: origin
        )
    }
}
