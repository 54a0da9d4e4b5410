import Groundwork
import RetryReport

/// The tests of one reason: what has one cause stands together.
struct HTMLGroup {
    let retries: [FlakyTest]

    /// Those with failures first, then those with the most tests, then those that cost the most.
    static func groups(of report: Report) -> [HTMLGroup] {
        let groups = Dictionary(grouping: report.worstFirst.enumerated(), by: \.element.reason).values.map { retries in
            let group = HTMLGroup(retries: retries.map(\.element))
            let rank = (group.hasFailed ? 0 : 1, -group.retries.count, -group.timeLost, retries[0].offset)
            return (rank: rank, group: group)
        }
        return groups.sorted { $0.rank < $1.rank }.map(\.group)
    }

    private var reason: String { retries.first?.reason ?? "" }
    private var hasFailed: Bool { retries.contains(where: \.isBad) }
    private var timeLost: Double { retries.reduce(0) { $0 + $1.timeLost } }

    /// - Parameters:
    ///   - overview: What is shown.
    ///   - longest: The seconds of the test that took longest.
    ///   - isFirst: Whether this is the first group. The first failure in it is open: it is what the reader came for.
    func html(_ overview: Overview, longest: Double, isFirst: Bool) -> String {
        let rows = retries.enumerated().map { index, retry in
            let isOpen = isFirst && index == 0 && retry.outcome == .failed
            return HTMLRecord(retry: retry, overview: overview, longest: longest, isOpen: isOpen).html
        }
        let marks = Set(retries.map(\.markName)).sorted().joined(separator: ", ")
        let reason = reason.cut(to: 1000)
        let title = HTMLText.escaped(reason.isEmpty ? "(no reason)" : reason)
        let note = "\(retries.count.of("test")), \(Durations.words(timeLost)) spent on retries"
        return HTMLPart.group("\(title) <span class=\"mark\">\(marks)</span>", reason: reason, note: note, rows: rows)
    }
}
