import Groundwork
import RetryReport

/// The comparison of a run with earlier ones, for `check --changed`: marks that flake more often, or that hold failures of a new
/// kind.
///
/// A mark is for one flake. If it begins to hold something else, it may hide a defect.
struct RunComparison {
    /// The fewest failures that a mark must have held, or runs in which it must have flaked, for something to be new in it.
    private static let fewest = 5
    /// The probability below which a rate has risen. It is lower than for a history, because every run is compared again.
    private static let level = 0.001

    private let current: RunRecord
    /// The branches whose failures are known: the one that this is to be merged into, if CI names it; the default branch, which is
    /// that of most earlier runs unless CI names it; and the job's own if it is protected.
    private let branches: [String]
    /// The earlier runs on these branches, and on the branch of the run, in their order.
    let earlier: [RunRecord]
    /// Those of the earlier runs that are on ``branches``, or on a branch that nobody names.
    private let known: [RunRecord]
    /// A report whose failures are accepted as well.
    private let baseline: RunRecord?

    /// - Parameter others: Other runs in any order, which may include later ones and the run itself.
    init(of current: RunRecord, with others: [RunRecord], baseline: RunRecord? = nil, on service: CIVariables) {
        self.current = current
        self.baseline = baseline
        let run = current.run
        let before = RunRecord.joined(others).filter {
            !$0.parts.isOfRun(of: current.parts) && $0.run.startedAt < run.startedAt
        }
        let counts = before.compactMap(\.run.branch).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        // The branch of a pull request is not the default one.
        let others = counts.filter { service.target == nil || $0.key != run.branch }
        let most = others.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        let all = [service.target, service.defaultBranch ?? most, service.protectedBranch].compactMap(\.self)
        let branches: [String] = all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        func isKnown(_ record: RunRecord) -> Bool { record.run.branch.map(branches.contains) != false }
        self.branches = branches
        earlier = before.filter { isKnown($0) || $0.run.branch == run.branch }
        known = earlier.filter(isKnown)
    }

    /// What is said if there are no ``reasons``.
    var approval: String {
        let unknown = current.marks.count { key, mark in mark.hasFlaked && known.allSatisfy { $0.marks[key] == nil } }
        let (verb, object) = unknown == 1 ? ("was", "it") : ("were", "them")
        let remark = "; \(unknown.of("mark")) that flaked \(verb) not compared: no \(runsOfKnown) has entered \(object)"
        return "no mark changed since \(earlier.count.of("earlier run"))\(unknown == 0 ? "" : remark)"
    }

    /// A text such as `run on main or dev`.
    private var runsOfKnown: String {
        branches.isEmpty ? "earlier run" : "run on \(branches.joined(separator: " or "))"
    }

    /// A line for each mark that flakes more often in this run and those of its branch, or holds a new kind of failure.
    var reasons: [String] {
        current.marks.filter(\.value.hasFlaked).sorted { $0.value.count.identity < $1.value.count.identity }
            .flatMap { key, mark in
                let name = "\(mark.count.place): \(mark.count.mark.reason) (\(mark.count.mark.kind))"
                let news = newKinds(of: mark, key) + [rise(of: key)].compactMap(\.self)
                return news.map { "\(name): \($0); \(advice)" }
            }
    }

    private var advice: String {
        "it is accepted once \(branches.isEmpty ? "an" : "a") \(runsOfKnown) has it, or with --baseline REPORT"
    }

    private func newKinds(of mark: RunRecord.Mark, _ key: MarkKey) -> [String] {
        let held = known.flatMap { $0.marks[key]?.held ?? [] }
        guard held.count >= Self.fewest else { return [] }
        let accepted = held + (baseline?.marks[key]?.held ?? [])
        // Duplicates are dropped first, because each message's kind takes several regular expressions.
        var kinds = Set(Set(accepted.map(\.message)).map(FailureKind.init))
        return mark.held.filter { kinds.insert(FailureKind($0.message)).inserted }.map { failure in
            let kind = FailureKind(failure.message)
            let first = earlier.first { $0.marks[key]?.held.contains { FailureKind($0.message) == kind } == true }
            let since = first.map { "since \($0.run.name)" } ?? "in this run"
            let times = held.count.of("failure")
            let message = failure.displayMessage.cut(to: 200)
            return "\(since) it holds a failure unlike the \(times) that it held before: \(message)\(failure.atPlace)"
        }
    }

    private func rise(of key: MarkKey) -> String? {
        let flakes = earlier.count { $0.marks[key]?.hasFlaked == true }
        guard flakes >= Self.fewest, baseline?.marks[key]?.hasFlaked != true,
            let change = rise(of: key, in: earlier + [current])
        else { return nil }
        // A rise that the default branch's earlier runs already show has been accepted.
        if let old = rise(of: key, in: known)?.range.last?.startedAt, change.startedAt <= old { return nil }
        return change.sentence + (change.command.map { "; see \($0)" } ?? "")
    }

    private func rise(of key: MarkKey, in records: [RunRecord]) -> MarkChange? {
        let change = MarkChange(records.map { $0.marks[key]?.hasFlaked }, in: records.map(\.run), level: Self.level)
        return change.flatMap { $0.isRise ? $0 : nil }
    }
}

extension RunRecord.Mark {
    /// The failures that the mark suppressed.
    fileprivate var held: [Failure] {
        tests.flatMap(\.flakedAttempts).flatMap(\.failures).filter { !$0.isAftermath }
    }
}
