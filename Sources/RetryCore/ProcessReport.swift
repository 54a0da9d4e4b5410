import Foundation
import Groundwork
import RetryReport

/// The tests of this process that flaked, and the report of them.
///
/// No file is touched under its lock: a thread that fails must not wait for a disk.
package final class ProcessReport: Sendable {
    private let environment: [String: String]
    private let settings: RunSettings
    private let workingDirectory = FileManager.default.currentDirectoryPath
    /// The folders that the report names relative to its own, with the way there; the first that holds a path counts.
    private let folders: Locked<[(path: String, way: String)]>
    private let state = Locked(State())

    private struct State {
        var run: Report.Run?
        var file: ReportFile?
        var hasWarned = false
        var tests: [TestName: TestRecord] = [:]
        /// The tests that the summary has not listed yet.
        var unlisted: Set<TestName> = []
        var steps: [Step] = []
        var marks: MarkCounts = [:]

        var sorted: [TestRecord] {
            tests.values.sorted { ($0.name, $0.module ?? "") < ($1.name, $1.module ?? "") }
        }

        /// Changes what is known of a test; a new test is added.
        mutating func change(_ name: TestName, by body: (inout TestRecord) -> Void) -> TestRecord {
            unlisted.insert(name)
            body(&tests[name, default: TestRecord(notRecorded: name)])
            return tests[name, default: TestRecord(notRecorded: name)]
        }
    }

    init(environment: [String: String], _ settings: RunSettings) {
        self.environment = environment
        self.settings = settings
        folders = Locked([(workingDirectory, "")])
    }

    /// A path as the report shows it: relative to the folder that the report is of, if it lies in the repository.
    package func relative(_ path: String) -> String {
        for folder in folders.withLock(\.self) {
            let rest = FilePath(path).relative(to: folder.path)
            if rest != path { return folder.way + rest }
        }
        return path
    }

    /// The most seconds that other processes' retries can have waited; 0 without a readable report.
    ///
    /// Of each process, only the retry that began soonest after its flake counts.
    var secondsWaitedElsewhere: Double {
        let tests = (try? state.withLock(\.file)?.report.tests) ?? []
        let waits = tests.filter { $0.attempts.count > 1 && $0.process != RunIdentity.process }.map { test in
            let (first, retry) = (test.attempts[0], test.attempts[1])
            return (test.process, retry.startedAt.timeIntervalSince(first.startedAt) - first.duration)
        }
        return Dictionary(waits, uniquingKeysWith: min).values.reduce(0, +)
    }

    /// A test that flaked has failed.
    package var hasFailures: Bool { state.withLock { $0.tests.values.contains { $0.outcome == .failed } } }

    /// Returns the tests that have changed since an earlier call returned them.
    func takeUnlisted() -> [TestRecord] {
        state.withLock { state in
            defer { state.unlisted = [] }
            return state.sorted.filter { state.unlisted.contains(TestName(of: $0)) }
        }
    }

    /// Logs that the report cannot be written, once; the tests' outcome stands.
    private func warn(_ error: any Error) {
        if state.withLock({ exchange(&$0.hasWarned, with: true) }) { return }
        log("\(error); the tests' outcome stands, their report does not")
    }

    // MARK: - The file

    /// Puts an empty report in place.
    ///
    /// - Parameter isNeeded: Asks for an error if that fails at a place that was asked for; otherwise there is a warning.
    func open(isNeeded: Bool, isCounted: Bool) throws {
        var run = Report.Run(id: RunIdentity.current(environment: environment), startedAt: Date())
        run.mode = settings.isStrict ? "strict" : "retry"
        run.settings = settings.others
        run.origin = RunOrigin(environment: environment, workingDirectory: workingDirectory)
        let wasAskedFor = EnvironmentVariable.report.value(in: environment) != nil
        state.withLock { $0.run = run }
        var problem: (any Error)?
        var around = RunIdentity.around
        if RunIdentity.isOfExitTest { around.insert(run.id) } else { around.remove(run.id) }
        for place in ReportLocation.candidates(environment: environment) {
            let file = ReportFile(url: place, run: run, warn: log)
            // What cannot be read is no report of such a run; `open` says what it is.
            if !around.isEmpty, let id = try? file.report.run?.id, around.contains(id) {
                let advice = "so this process writes no report; set RETRYABLE_REPORT for it"
                return log("a test of the run that \(file.path) belongs to started this process, \(advice)")
            }
            do {
                try file.open(isCounted: isCounted)
                setFolders(run.origin.folder, in: file.folder)
                return state.withLock { $0.file = file }
            } catch {
                if isNeeded, wasAskedFor { throw error }
                problem = problem ?? error
            }
        }
        if let problem { warn(problem) }
    }

    /// - Parameters:
    ///   - folder: The working directory, from the root of the repository.
    ///   - start: The folder that the report is of, which another process may have begun.
    private func setFolders(_ folder: String?, in start: String?) {
        let isRoot = FilePath("\(workingDirectory)/.git").kind != nil
        let root = folder.map { String(workingDirectory.dropLast($0.count + 1)) } ?? (isRoot ? workingDirectory : nil)
        let way = (start?.split(separator: "/") ?? []).map { _ in "../" }.joined()
        let here = start == folder ? [(workingDirectory, "")] : []
        folders.withLock { $0 = here + (root.map { [($0, way)] } ?? []) }
    }

    /// The number of records after which a write for each change would take longer than the tests.
    private static let many = 256

    private func write(_ file: ReportFile?, atOnce: Bool = true) {
        do {
            if atOnce { try file?.write() } else { file?.writeSoon { [self] in warn($0) } }
        } catch {
            warn(error)
        }
    }

    /// Writes the counts of marks at once, because a process that resumes after a crash may crash, too.
    package func writeCounts() { write(state.withLock { $0.file }) }

    /// Completes the report, which says that this process ended, unless it ends in the middle of its tests.
    ///
    /// - Returns: Its place; `nil` if there is none, or if it is not complete.
    func close(isMidRun: Bool = false) -> String? {
        guard let file = state.withLock({ $0.file }) else { return nil }
        do {
            try isMidRun ? file.write() : file.close()
            // SwiftPM may have changed the working directory; the shell's variable still names the user's.
            let start = environment["PWD"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? workingDirectory
            return FilePath(file.path).relative(to: start)
        } catch {
            warn(error)
            return nil
        }
    }

    /// Continues with the records that a process of the same name had put into the report before it died.
    func resume() {
        guard let file = state.withLock({ $0.file }) else { return }
        do {
            let report = try file.report
            state.withLock { state in
                for test in report.tests where test.process == RunIdentity.process {
                    file.put(state.change(TestName(of: test)) { $0 = test })
                }
                for step in report.steps where step.process == RunIdentity.process {
                    state.steps.append(step)
                    file.put(step)
                }
            }
        } catch {
            warn(error)
        }
    }

    /// The text of the report as it stands, for a test's result to keep.
    ///
    /// There is one after every attempt if no file could take the report. Else there is one only after a retry, of a test or
    /// of a step, and while there are few of them, because it is written anew each time.
    package func text(afterRetry isRetry: Bool) -> [UInt8]? {
        let state = state.withLock { $0 }
        let isSmall = state.tests.values.reduce(state.steps.count) { $0 + $1.attempts.count } <= 100
        guard let run = state.run, state.file == nil || (isRetry && isSmall) else { return nil }
        do {
            return try Report(run: run, tests: state.sorted, steps: state.steps, marks: state.marks.sorted).json()
        } catch {
            log("the report cannot be kept in the test's result: \(error)")
            return nil
        }
    }

    // MARK: - Records

    /// Puts a test that flaked into the report, or brings its record up to date.
    ///
    /// An attempt with the same number and start is replaced. A new attempt, and a failure, are on disk when this returns,
    /// unless the process has very many records; what else changes follows a moment later.
    ///
    /// - Parameter sections: The sections that the attempt has entered, unless they have been counted. They are counted in one step
    ///   with a new attempt, because a process may die at any moment, and the next one counts what is not there.
    package func put(
        _ attempt: Attempt,
        of test: TestName,
        since start: Date,
        duration: Double,
        counting sections: [Section: SectionResult] = [:]
    ) {
        var record = attempt.record
        (record.startedAt, record.duration) = (start, duration.roundedForReport)
        for index in record.failures.indices {
            record.failures[index].file = record.failures[index].file.map(relative)
        }
        let (section, flaked) = (attempt.section, attempt.flake?.section.mark.maxRetryCount ?? 0)
        change(test, counting: counts(of: sections, module: test.module)) { [record] test in
            test.add(record)
            // Another section may have allowed the retries that this one's mark does not.
            let allowed = max(test.mark.maxRetryCount, flaked, test.attemptedRetries)
            test.mark = section?.mark ?? test.mark
            test.mark.maxRetryCount = max(test.mark.maxRetryCount, allowed)
            guard let section else { return }
            test.file = relative(section.place.file)
            test.line = section.place.line
        }
    }

    /// Forgets the attempts after this one: the process in which they ran has died, so they are to run again.
    package func forget(attemptsAfter number: Int, of test: TestName) {
        state.withLock { state in
            state.tests[test]?.attempts.removeAll { $0.number > number }
            state.tests[test]?.outcome = .pending
        }
    }

    /// Fails the tests of XCTest that flaked and have neither recovered nor failed, and returns their names. (One process may
    /// run tests of both frameworks.)
    package func failPending() -> [String] {
        let all = state.withLock { $0.sorted }
        let pending = all.filter { $0.outcome == .pending && $0.name.hasPrefix("-[") }
        for test in pending { change(TestName(of: test)) { $0.outcome = .failed } }
        return pending.map(\.name)
    }

    private func change(_ test: TestName, counting marks: [MarkCount] = [], by body: (inout TestRecord) -> Void) {
        if SharedProgress.current?.isFrozen == true { return }  // the next process runs the test
        let (file, atOnce) = state.withLock { state in
            let old = state.tests[test]
            let test = state.change(test, by: body)
            let before = old?.attempts.count ?? 0
            let counted = test.attempts.count > before ? marks : []
            state.marks.add(counted)
            state.file?.put(test, counting: counted)
            let isMany = state.tests.count > Self.many || test.outcome == .pending && before >= Self.many
            // Times may wait.
            let (failures, known) = (test.attempts.map(\.failures), old?.attempts.map(\.failures))
            let isUrgent = failures != known || test.outcome != old?.outcome
            // A supervised process may crash, and the next one continues from the file.
            return (state.file, settings.isSupervised ? before == 0 || !isMany : isUrgent && !isMany)
        }
        write(file, atOnce: atOnce)
    }

    package func put(_ step: Step) {
        if SharedProgress.current?.isFrozen == true { return }
        var step = step
        step.file = step.file.map(relative)
        let (file, atOnce) = state.withLock { [step] state in
            state.file?.put(step)
            state.steps.append(step)
            return (state.file, state.steps.count <= Self.many)
        }
        write(file, atOnce: atOnce)
    }

    /// Counts the sections that an attempt has entered.
    ///
    /// They are written with the next flake, or when the process ends: a write for each test that passes would cost too much,
    /// and if the process dies, only counts are lost.
    package func count(_ sections: [Section: SectionResult], module: @autoclosure () -> String) {
        guard !sections.isEmpty else { return }
        let marks = counts(of: sections, module: module())
        state.withLock { state in
            state.marks.add(marks)
            state.file?.put(marks)
        }
    }

    private func counts(of sections: [Section: SectionResult], module: String) -> [MarkCount] {
        sections.map { section, result in
            let (file, line) = section.place
            var mark = MarkCount(section.mark, file: relative(file), line: line, module: module)
            (mark.attempts, mark.flakes, mark.failures) = (1, result.hasFlaked ? 1 : 0, result.hasFailed ? 1 : 0)
            return mark
        }
    }

    package func hasFlake(of test: TestName, attempt number: Int) -> Bool {
        state.withLock { $0.tests[test]?.attempts.contains { $0.number == number && $0.outcome == .flaked } == true }
    }

    /// The last flake of a test, as far as its record has it.
    package func flake(of test: TestName) -> Flake {
        let test = state.withLock { $0.tests[test] } ?? TestRecord(notRecorded: test)
        let section = Section(mark: test.mark, site: .testing(test.file ?? "<unknown>", test.line ?? 0))
        let last = test.attempts.last { $0.outcome == .flaked }?.failures.first { !$0.isAftermath }
        return Flake(section: section, failure: last ?? Failure(unplaced: "flaked"))
    }
}

extension TestRecord {
    fileprivate init(notRecorded test: TestName) {
        // A placeholder, which stays only if the process that had the mark ended before it wrote the report.
        let mark = Flakiness.notFixable(reason: "not known, as the report could not be written")
        self.init(name: test.name, module: test.module, mark: mark)
    }

    fileprivate mutating func add(_ attempt: AttemptRecord) {
        func isSame(_ other: AttemptRecord) -> Bool {
            other.number == attempt.number && other.startedAt == attempt.startedAt
        }
        if attempt.number <= attempts.last?.number ?? 0, let index = attempts.lastIndex(where: isSame) {
            attempts[index] = attempt
        } else {
            attempts.append(attempt)
            attemptedRetries = max(attemptedRetries, attempt.number - 1)
        }
        // A test that is in a run twice has failed if it failed once.
        guard outcome != .failed else { return }
        switch attempt.outcome {
        case .flaked: outcome = .pending
        case .passed: outcome = .recovered
        case .failed, .skipped: outcome = .failed
        }
    }
}

extension TestName {
    fileprivate init(of test: TestRecord) {
        self.init(test.name, module: test.module ?? "")
    }
}
