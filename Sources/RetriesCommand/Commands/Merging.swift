import RetryReport

/// Makes one report of several.
///
/// No record is dropped, and none is put together with another: a test that flaked in two shards has two. What tells them
/// apart is the run that each comes from.
struct Merging {
    private var reports: [Report] = []

    mutating func add(_ report: Report) {
        reports.append(report)
    }

    /// The one report; if only one was added, that one as it is, sorted.
    var report: Report {
        var merged = reports.count == 1 ? reports[0] : Report()
        if reports.count != 1 {
            merged.run = run
            merged.steps = reports.flatMap(\.steps)
            merged.retries.reserveCapacity(reports.reduce(0) { $0 + $1.retries.count })
            for report in reports {
                for var retry in report.retries {
                    retry.run = retry.run ?? report.run?.id
                    merged.retries.append(retry)
                }
            }
        }
        merged.schemaVersion = Report.currentSchemaVersion
        merged.retries = Self.sorted(merged.retries)
        return merged
    }

    /// By name, module and run; else in the order in which they were given.
    private static func sorted(_ retries: [Retry]) -> [Retry] {
        // Swift's sort is stable, but does not promise it.
        let order = retries.indices.sorted { first, second in
            let (a, b) = (retries[first], retries[second])
            if a.name != b.name { return a.name < b.name }
            if a.module != b.module { return a.module ?? "" < b.module ?? "" }
            if a.run != b.run { return a.run ?? "" < b.run ?? "" }
            return first < second
        }
        return order.map { retries[$0] }
    }

    /// From the first start to the last end. It has no end if one of the runs has none: that one died.
    private var run: Report.Run? {
        let runs = reports.compactMap(\.run)
        guard let first = runs.first else { return nil }
        let ids = Set(runs.map(\.id)).sorted()
        var run = Report.Run(
            id: ids.count == 1 ? first.id : "merged-\(Self.fingerprint(of: ids))",
            startedAt: runs.map(\.startedAt).min() ?? first.startedAt,
            finishedAt: runs.contains { $0.finishedAt == nil } ? nil : runs.compactMap(\.finishedAt).max(),
            mode: runs.allSatisfy { $0.mode == first.mode } ? first.mode : "mixed"
        )
        run.settings = first.settings.filter { name, value in runs.allSatisfy { $0.settings[name] == value } }
        return run
    }

    /// The same for the same words, whatever process asks (FNV-1a).
    private static func fingerprint(of words: [String]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in words.joined(separator: "\n").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16)
    }
}
