import Foundation
import Groundwork
import RetryReport

/// What flaked in this process, and the report of it.
///
/// No file is touched under its lock: a thread that fails must not wait for a disk.
final class ProcessReport: Sendable {
    private let settings: Settings
    private let state = Locked(State())

    private struct State {
        var run: Report.Run?
        var file: ReportFile?
        /// Where the report is, as it is shown.
        var path: String?
        var hasWarned = false
        /// In the order in which they flaked first.
        var retries: [Retry] = []
        /// The index of each test in `retries`.
        var indices: [TestName: Int] = [:]
        var marks: [MarkCount.Identity: MarkCount] = [:]
        /// For each path of a source file, the path that the report shows. A cache, so that attempts share the text.
        var shownPaths: [String: String] = [:]
        /// What the summary has not named yet, in the order in which it flaked.
        var untold: [TestName] = []
        var isUntold: Set<TestName> = []

        /// The index of a test in `retries`; a new test is added.
        mutating func index(of test: TestName) -> Int {
            if let index = indices[test] { return index }
            indices[test] = retries.count
            retries.append(Retry(of: test))
            return retries.count - 1
        }
    }

    init(_ settings: Settings) {
        self.settings = settings
    }

    /// Puts an empty report in place.
    ///
    /// - Parameter isNeeded: Whether to throw if that fails at a place that was asked for; otherwise there is a warning.
    func open(isNeeded: Bool) throws(ReportFileError) {
        let run = settings.run
        state.withLock { $0.run = run }
        var problem: ReportFileError?
        for location in settings.reportLocations {
            let file = ReportFile(url: location.url, run: run, warn: say)
            do throws(ReportFileError) {
                try file.open()
                return state.withLock { state in
                    state.file = file
                    state.path = settings.relative(location.url.path)
                }
            } catch {
                if isNeeded, location.wasAskedFor { throw error }
                problem = problem ?? error
            }
        }
        if let problem { warn(problem) }
    }

    /// Puts a test that flaked into the report, or updates its record. It is on disk when this returns, unless the
    /// process has very many records.
    func record(_ test: TestName, flake: Flake?, attempt: Retry.Attempt, outcome: Retry.Outcome) {
        let (file, isUrgent) = state.withLock { state in
            var attempt = attempt
            for index in attempt.failures.indices {
                guard let file = attempt.failures[index].file else { continue }
                attempt.failures[index].file = shown(file, &state)
            }
            let index = state.index(of: test)
            if state.isUntold.insert(test).inserted { state.untold.append(test) }
            state.retries[index].add(attempt, outcome: outcome)
            if let section = flake?.section {
                state.retries[index].take(section, file: shown(section.place.file, &state))
            }
            state.file?.put(Array(state.marks.values))
            return (state.file, state.file?.put(state.retries[index]) ?? false)
        }
        write(file, isUrgent: isUrgent)
    }

    /// Counts the sections that an attempt has entered. They are written with the next flake, or when the process ends:
    /// a write for each test that passes would cost too much, and if the process dies, only counts are lost.
    func count(_ sections: [EnteredSection], module: String) {
        state.withLock { state in
            for entered in sections {
                var mark = MarkCount(entered, file: shown(entered.section.place.file, &state), module: module)
                if let known = state.marks[mark.identity] { mark.add(known) }
                state.marks[mark.identity] = mark
            }
        }
    }

    /// What a test flaked with last; `nil` if it has no record.
    func flake(of test: TestName) -> Flake? {
        guard let retry = state.withLock({ state in state.indices[test].map { state.retries[$0] } }) else { return nil }
        let mark = Flakiness(
            reason: retry.reason,
            maxRetryCount: retry.maxRetriesAllowed,
            isFixable: retry.fixable,
            matching: retry.matching
        )
        let section = Section(mark: mark, site: .testing(retry.file ?? "", retry.line ?? 0))
        let last = retry.attempts.last { $0.outcome == .flaked }?.failures.first { !$0.isAftermath }
        return Flake(section: section, failure: last ?? Failure(message: "flaked", file: nil, line: nil, kind: .error))
    }

    /// Goes on with what a process of the same name had put into the report before it died.
    func resume() {
        guard let file = state.withLock({ $0.file }) else { return }
        let report: Report
        do throws(ReportFileError) {
            report = try file.report
        } catch {
            return warn(error)
        }
        state.withLock { state in
            let retries = report.retries.filter { $0.process == RunIdentity.process }
            for retry in retries.sorted(by: { $0.start < $1.start }) {
                let test = TestName(retry.name, module: retry.module ?? "")
                state.retries[state.index(of: test)] = retry
                if state.isUntold.insert(test).inserted { state.untold.append(test) }
                _ = file.put(retry)
            }
            for step in report.steps where step.process == RunIdentity.process { _ = file.put(step) }
        }
    }

    /// The tests that flaked, and of which it is not known how they end.
    var pending: [Retry] {
        state.withLock { $0.retries.filter { $0.outcome == .pending } }
    }

    /// Fails a test that will not be retried any more.
    func fail(_ retry: Retry) {
        let (file, isUrgent) = state.withLock { state in
            let index = state.index(of: TestName(retry.name, module: retry.module ?? ""))
            state.retries[index].outcome = .failed
            return (state.file, state.file?.put(state.retries[index]) ?? false)
        }
        write(file, isUrgent: isUrgent)
    }

    /// Puts a step that needed a retry into the report.
    func record(_ step: Step) {
        var step = step
        step.file = step.file.map(settings.relative)
        let (file, isUrgent) = state.withLock { [step] in ($0.file, $0.file?.put(step) ?? false) }
        write(file, isUrgent: isUrgent)
    }

    private func shown(_ path: String, _ state: inout State) -> String {
        if let shown = state.shownPaths[path] { return shown }
        let shown = settings.relative(path)
        state.shownPaths[path] = shown
        return shown
    }

    private func write(_ file: ReportFile?, isUrgent: Bool) {
        guard isUrgent else { file?.writeSoon { [self] in warn($0) }; return }
        do throws(ReportFileError) {
            try file?.write()
        } catch {
            warn(error)
        }
    }

    /// Completes the report.
    ///
    /// - Returns: Where it is; `nil` if there is none, or if it is not complete.
    func close() -> String? {
        let (file, path) = state.withLock { state in
            state.file?.put(Array(state.marks.values))
            return (state.file, state.path)
        }
        do throws(ReportFileError) {
            try file?.close()
            return path
        } catch {
            warn(error)
            return nil
        }
    }

    /// The tests that no earlier call has returned, in the order in which they flaked.
    func takeUntold() -> [Retry] {
        state.withLock { state in
            defer { (state.untold, state.isUntold) = ([], []) }
            return state.untold.map { state.retries[state.index(of: $0)] }
        }
    }

    /// The text of the report as it stands, for a test's result to keep: if no file could take it, after every attempt; else
    /// only after a retry, and while there are few of them, because it is written anew each time.
    func text(afterRetry isRetry: Bool) -> [UInt8]? {
        let (run, retries, marks, hasFile) = state.withLock { ($0.run, $0.retries, $0.marks, $0.file != nil) }
        let isSmall = retries.count <= 100 && retries.lazy.map(\.attempts.count).reduce(0, +) <= 100
        guard let run, !hasFile || (isRetry && isSmall) else { return nil }
        let sorted = marks.sorted { $0.key < $1.key }.map(\.value)
        do {
            return try Report(merging: [Report(run: run, retries: retries, marks: sorted)]).json()
        } catch {
            say("the report cannot be kept in the test's result: \(error)")
            return nil
        }
    }

    /// A report that cannot be written is worth one warning; the tests' outcome stands.
    private func warn(_ error: ReportFileError) {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        if isFirst { say("\(error); the tests' outcome stands, their report does not") }
    }
}

extension Retry {
    fileprivate var start: Date { attempts.first?.startedAt ?? .distantPast }
}
