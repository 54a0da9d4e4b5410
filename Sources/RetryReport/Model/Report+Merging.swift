extension Report {
    /// One report of several; of one, that one as it is, sorted.
    ///
    /// No record is dropped, and none is put together with another: a test that flaked in two shards has two. What tells
    /// them apart is the run that each comes from.
    package init(merging reports: [Report]) {
        self = reports.count == 1 ? reports[0] : Report()
        if reports.count != 1 {
            run = Run(merging: reports.compactMap(\.run))
            steps = reports.flatMap(\.steps)
            marks = MarkCount.merging(reports.compactMap(\.marks))
            retries = reports.flatMap { report in
                report.retries.map { retry in
                    var retry = retry
                    retry.run = retry.run ?? report.run?.id
                    return retry
                }
            }
        }
        schemaVersion = Self.currentSchemaVersion
        // Records that are alike stay in the order in which they were given: Swift's sort is stable, but does not promise it.
        retries = retries.enumerated().sorted { first, second in
            let (a, b) = (first.element, second.element)
            return (a.name, a.module ?? "", a.run ?? "", first.offset)
                < (b.name, b.module ?? "", b.run ?? "", second.offset)
        }.map(\.element)
    }
}

extension MarkCount {
    /// One of each mark, with what was counted of it everywhere; `nil` if nobody counted.
    fileprivate static func merging(_ lists: [[MarkCount]]) -> [MarkCount]? {
        guard !lists.isEmpty else { return nil }
        var merged: [Identity: MarkCount] = [:]
        for mark in lists.joined() {
            if merged[mark.identity]?.add(mark) == nil { merged[mark.identity] = mark }
        }
        return merged.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension Report.Run {
    /// From the first start to the last end. It has no end if one of the runs has none: that one died.
    fileprivate init?(merging runs: [Report.Run]) {
        guard let first = runs.first else { return nil }
        let ids = Set(runs.map(\.id)).sorted()
        self.init(
            id: ids.count == 1 ? first.id : "merged-\(ids.joined(separator: "+"))",
            startedAt: runs.map(\.startedAt).min() ?? first.startedAt,
            finishedAt: runs.contains { $0.finishedAt == nil } ? nil : runs.compactMap(\.finishedAt).max(),
            unfinished: runs.reduce(0) { $0 + max(0, $1.unfinished) },
            mode: runs.allSatisfy { $0.mode == first.mode } ? first.mode : "mixed",
            settings: first.settings.filter { name, value in runs.allSatisfy { $0.settings[name] == value } },
            origin: RunOrigin(common: runs.map(\.origin))
        )
    }
}
