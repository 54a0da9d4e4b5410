import Foundation

/// The marks of the runs looked at so far; each is known again in the next run although its line has shifted.
struct KnownMarks {
    private let texts: [MarkText]
    /// Which group each of the texts belongs to: those of one file and one reason are together.
    private let groupOfText: [Int]
    /// The marks of each group, in their order in the file.
    private var groups: [[MarkHistory]]

    private struct Key: Hashable {
        var file: String?
        var reason: String
    }

    init(_ texts: MarkTexts) {
        self.texts = texts.all
        var numbers: [Key: Int] = [:]
        groupOfText = texts.all.map { text in
            let key = Key(file: text.file, reason: text.reason)
            let number = numbers[key] ?? numbers.count
            numbers[key] = number
            return number
        }
        groups = Array(repeating: [], count: numbers.count)
    }

    /// Takes over what a run shows; runs are added in their order.
    mutating func add(_ sightings: [RunRecord.Sighting], of run: Int, startedAt: Date?) {
        let sorted = sightings.sorted { first, second in
            let (a, b) = (groupOfText[first.text], groupOfText[second.text])
            return a == b ? first.line ?? 0 < second.line ?? 0 : a < b
        }
        var rest = sorted[...]
        while let first = rest.first {
            let group = groupOfText[first.text]
            let ofGroup = rest.prefix { groupOfText[$0.text] == group }
            rest = rest.dropFirst(ofGroup.count)
            add(Self.joined(ofGroup), to: group, run, startedAt)
        }
    }

    /// Makes one of those on one line: tests of two modules entered it, or two shards.
    private static func joined(_ sightings: ArraySlice<RunRecord.Sighting>) -> [RunRecord.Sighting] {
        guard sightings.count > 1 else { return Array(sightings) }
        return sightings.reduce(into: []) { joined, sighting in
            guard let last = joined.last, last.line == sighting.line else { return joined.append(sighting) }
            joined[joined.count - 1].attempts += sighting.attempts
            joined[joined.count - 1].flakes += sighting.flakes
            joined[joined.count - 1].failures += sighting.failures
            joined[joined.count - 1].tests += sighting.tests
        }
    }

    private mutating func add(_ sightings: [RunRecord.Sighting], to group: Int, _ run: Int, _ startedAt: Date?) {
        let known = groups[group]
        let matches = LineMatching.match(sightings.map { $0.line ?? 0 }, to: known.map { $0.line ?? 0 })
        for (sighting, match) in zip(sightings, matches) {
            guard let match else { continue }
            groups[group][match].add(sighting, texts[sighting.text], run, startedAt)
        }
        guard matches.contains(nil) else { return }
        for (sighting, match) in zip(sightings, matches) where match == nil {
            var mark = MarkHistory(text: texts[sighting.text], line: sighting.line)
            mark.add(sighting, texts[sighting.text], run, startedAt)
            groups[group].append(mark)
        }
        groups[group].sort { $0.line ?? 0 < $1.line ?? 0 }
    }

    /// All of them.
    ///
    /// What version 0.6.0 told has no file: it is added to the only mark with its reason, if there is one such mark.
    var all: [MarkHistory] {
        var marks = groups.joined().filter { $0.text.file != nil }
        for nameless in groups.joined() where nameless.text.file == nil {
            let namesakes = marks.indices.filter { marks[$0].text.reason == nameless.text.reason }
            if namesakes.count == 1 {
                marks[namesakes[0]].takeOver(nameless)
            } else {
                marks.append(nameless)
            }
        }
        return marks
    }
}

extension MarkHistory {
    fileprivate mutating func add(
        _ sighting: RunRecord.Sighting,
        _ text: MarkText,
        _ run: Int,
        _ startedAt: Date?
    ) {
        self.text = text
        line = sighting.line ?? line
        firstSeen = firstSeen ?? startedAt
        lastSeen = startedAt ?? lastSeen
        let hasFlaked = sighting.flakes + sighting.failures > 0 || !sighting.tests.isEmpty
        sightings.append(Sighting(run: run, flaked: hasFlaked))
        if hasFlaked {
            evidence.runsSinceFlake = 0
            let last = sighting.tests.max { $0.startedAt ?? .distantPast < $1.startedAt ?? .distantPast }
            lastFlake = LastFlake(at: last?.startedAt ?? startedAt, test: last)
        }
        for test in sighting.tests { add(test) }
        guard sighting.attempts > 0 else {
            evidence.flakesOfUncountedRuns += sighting.tests.reduce(0) { $0 + $1.flakes }
            return
        }
        evidence.runs += 1
        evidence.attempts += sighting.attempts
        evidence.flakes += sighting.flakes
        evidence.failures += sighting.failures
        if hasFlaked {
            evidence.flakedRuns += 1
        } else {
            evidence.runsSinceFlake += 1
        }
    }

    private mutating func add(_ test: FlakedTest) {
        add(test, to: tests.firstIndex { $0.name == test.name && $0.module == test.module })
    }

    private mutating func add(_ test: FlakedTest, to index: Int?) {
        guard let index else { return tests.append(test) }
        tests[index].flakes += test.flakes
        tests[index].seconds += test.seconds
    }

    /// Adds what runs of version 0.6.0 told, which are older than all others.
    fileprivate mutating func takeOver(_ older: MarkHistory) {
        evidence.flakesOfUncountedRuns += older.evidence.flakesOfUncountedRuns
        sightings = older.sightings + sightings
        lastFlake = lastFlake ?? older.lastFlake
        for test in older.tests {
            // 0.6.0 did not tell a test's module either.
            let namesakes = tests.indices.filter { tests[$0].name == test.name }
            add(test, to: namesakes.count == 1 ? namesakes[0] : nil)
        }
    }
}
