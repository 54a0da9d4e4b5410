import RetryReport

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
