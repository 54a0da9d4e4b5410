import Groundwork
import RetryReport

/// The tests of one reason: what has one cause stands together.
struct HTMLGroup {
    let reason: String
    let retries: [Retry]

    /// Those with failures first, then those with the most tests, then those that cost the most.
    static func groups(of report: Report) -> [HTMLGroup] {
        let retries = report.worstFirst
        var groups: [String: [Retry]] = [:]
        var order: [String] = []
        for retry in retries {
            if groups[retry.reason] == nil { order.append(retry.reason) }
            groups[retry.reason, default: []].append(retry)
        }
        return order.map { HTMLGroup(reason: $0, retries: groups[$0] ?? []) }.enumerated().sorted { first, second in
            let (a, b) = (first.element, second.element)
            if a.hasFailed != b.hasFailed { return a.hasFailed }
            if a.retries.count != b.retries.count { return a.retries.count > b.retries.count }
            if a.timeLost != b.timeLost { return a.timeLost > b.timeLost }
            return first.offset < second.offset
        }.map(\.element)
    }

    private var hasFailed: Bool { retries.contains { $0.outcome == .failed || $0.outcome == .pending } }
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
