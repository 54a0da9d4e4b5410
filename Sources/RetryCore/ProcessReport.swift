import Foundation
import Groundwork
import RetryReport

/// What flaked in this process, and the report of it.
///
/// No file is touched under its lock: a thread that fails must not wait for a disk.
package final class ProcessReport: Sendable {
    private let environment: [String: String]
    private let settings: RunSettings
    private let workingDirectory = FileManager.default.currentDirectoryPath
    private let state = Locked(State())

    private struct State {
        var run: Report.Run?
        var file: ReportFile?
        /// Where the report is, as it is shown.
        var path: String?
        var hasWarned = false
        /// In the order in which they flaked first.
        var retries: [FlakyTest] = []
        /// The index of each test in `retries`.
        var indices: [TestName: Int] = [:]
        var marks: [MarkCount.Identity: MarkCount] = [:]
        /// The indices of those that the summary has not named yet.
        var untold: Set<Int> = []

        /// Changes what is known of a test; a new test is added.
        mutating func change(_ test: TestName, by body: (inout FlakyTest) -> Void) -> FlakyTest {
            let index = indices[test] ?? retries.count
            if index == retries.count {
                indices[test] = index
                retries.append(FlakyTest(of: test))
            }
            untold.insert(index)
            body(&retries[index])
            return retries[index]
        }
    }

    init(environment: [String: String], _ settings: RunSettings) {
        self.environment = environment
        self.settings = settings
    }

    /// A path as the report shows it: relative to the working directory if it lies under it.
    func relative(_ path: String) -> String { SourcePath.relative(path, to: workingDirectory) }

    /// Puts an empty report in place.
    ///
    /// - Parameter isNeeded: Whether to throw if that fails at a place that was asked for; otherwise there is a warning.
    func open(isNeeded: Bool) throws(ReportFileError) {
        let run = Report.Run(
            id: RunIdentity.current(environment: environment),
            startedAt: Date(),
            mode: settings.modeName,
            settings: settings.others,
            origin: RunOrigin(environment: environment, workingDirectory: workingDirectory)
        )
        let locations = ReportLocation.candidates(
            environment: environment,
            workingDirectory: URL(fileURLWithPath: workingDirectory, isDirectory: true)
        )
        state.withLock { $0.run = run }
        var problem: ReportFileError?
        for location in locations {
            let file = ReportFile(url: location.url, run: run, warn: log)
            do throws(ReportFileError) {
                try file.open()
                return state.withLock { state in
                    state.file = file
                    state.path = relative(location.url.path)
                }
            } catch {
                if isNeeded, location.wasAskedFor { throw error }
                problem = problem ?? error
            }
        }
        if let problem { warn(problem) }
    }

    /// Puts a test that flaked into the report, or what became of it since.
    ///
    /// It is on disk when this returns, unless the process has very many records.
    ///
    /// - Parameters:
    ///   - attempt: The attempt as it is so far; one with the same number and start is replaced.
    ///   - test: The test.
    ///   - start: When the attempt began.
    ///   - duration: How long it has taken, in seconds.
    package func record(_ attempt: Attempt, of test: TestName, since start: Date, duration: Double) {
        var record = AttemptRecord(
            number: attempt.retryCount + 1,
            outcome: attempt.outcome,
            startedAt: start,
            duration: duration,
            failures: attempt.failures
        )
        for index in record.failures.indices {
            record.failures[index].file = record.failures[index].file.map(relative)
        }
        let section = attempt.flake?.section
        change(test) { [record] retry in
            retry.add(record)
            if let section { retry.take(section, file: relative(section.place.file)) }
        }
    }

    /// Fails a test that will not be retried any more.
    package func fail(_ retry: FlakyTest) {
        change(TestName(of: retry)) { $0.outcome = .failed }
    }

    private func change(_ test: TestName, by body: (inout FlakyTest) -> Void) {
        let (file, isUrgent) = state.withLock { state in
            let retry = state.change(test, by: body)
            state.file?.put(Array(state.marks.values))
            return (state.file, state.file?.put(retry) ?? false)
        }
        write(file, isUrgent: isUrgent)
    }

    /// Counts the sections that an attempt has entered. They are written with the next flake, or when the process ends:
    /// a write for each test that passes would cost too much, and if the process dies, only counts are lost.
    ///
    /// - Parameter module: The module of the test.
    package func count(_ sections: [EnteredSection], module: @autoclosure () -> String) {
        guard !sections.isEmpty else { return }
        let module = module()
        let marks = sections.map { MarkCount($0, file: relative($0.section.place.file), module: module) }
        state.withLock { state in
            for mark in marks {
                var sum = mark
                if let known = state.marks[mark.identity] { sum.add(known) }
                state.marks[mark.identity] = sum
            }
        }
    }

    /// What a test flaked with last, as far as its record tells; `nil` if it has none.
    package func flake(of test: TestName) -> Flake? {
        guard let retry = state.withLock({ state in state.indices[test].map { state.retries[$0] } }) else { return nil }
        let mark = Flakiness(
            reason: retry.reason,
            maxRetryCount: retry.maxRetriesAllowed,
            isFixable: retry.fixable,
            matching: retry.matching
        )
        let section = Section(mark: mark, site: .testing(retry.file ?? "", retry.line ?? 0))
        let last = retry.attempts.last { $0.outcome == .flaked }?.failures.first { !$0.isAftermath }
        return Flake(section: section, failure: last ?? Failure(unplaced: "flaked"))
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
                _ = file.put(state.change(TestName(of: retry)) { $0 = retry })
            }
            for step in report.steps where step.process == RunIdentity.process { _ = file.put(step) }
        }
    }

    /// The tests that flaked, and of which it is not known how they end.
    package var pending: [FlakyTest] {
        state.withLock { $0.retries.filter { $0.outcome == .pending } }
    }

    /// Puts a step that needed a retry into the report.
    package func record(_ step: Step) {
        var step = step
        step.file = step.file.map(relative)
        let (file, isUrgent) = state.withLock { [step] in ($0.file, $0.file?.put(step) ?? false) }
        write(file, isUrgent: isUrgent)
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

    /// The tests that no earlier call has returned, in the order in which they flaked first.
    func takeUntold() -> [FlakyTest] {
        state.withLock { state in
            defer { state.untold = [] }
            return state.untold.sorted().map { state.retries[$0] }
        }
    }

    /// The text of the report as it stands, for a test's result to keep: if no file could take it, after every attempt; else
    /// only after a retry, and while there are few of them, because it is written anew each time.
    package func text(afterRetry isRetry: Bool) -> [UInt8]? {
        let (run, retries, marks, hasFile) = state.withLock { ($0.run, $0.retries, $0.marks, $0.file != nil) }
        let isSmall = retries.count <= 100 && retries.lazy.map(\.attempts.count).reduce(0, +) <= 100
        guard let run, !hasFile || (isRetry && isSmall) else { return nil }
        let sorted = marks.sorted { $0.key < $1.key }.map(\.value)
        do {
            return try Report(merging: [Report(run: run, retries: retries, marks: sorted)]).json()
        } catch {
            log("the report cannot be kept in the test's result: \(error)")
            return nil
        }
    }

    /// A report that cannot be written is worth one warning; the tests' outcome stands.
    private func warn(_ error: ReportFileError) {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        if isFirst { log("\(error); the tests' outcome stands, their report does not") }
    }
}

extension FlakyTest {
    fileprivate var start: Date { attempts.first?.startedAt ?? .distantPast }
}
