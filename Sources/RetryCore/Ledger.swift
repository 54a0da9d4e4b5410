import Foundation
import RetryReport

/// What flaked in this process, and the report of it.
package final class Ledger: Sendable {
    /// The one of this process.
    package static let shared = Ledger(environment: ProcessInfo.processInfo.environment)

    private let environment: [String: String]
    private let workingDirectory = FileManager.default.currentDirectoryPath
    private let state = Locked(State())

    private struct State {
        var hasBegun = false
        var mode = RunMode()
        var file: ReportFile?
        var path = ""
        var hasWarned = false
        var retries: [TestName: Retry] = [:]
        var order: [TestName] = []
        var effects = LastWord.Effects()
    }

    package init(environment: [String: String]) {
        self.environment = environment
    }

    /// What the environment asks for; known once the run has begun.
    package var mode: RunMode { state.withLock { $0.mode } }

    /// Reads the environment and puts an empty report in place, before any test runs.
    ///
    /// Ends the process with exit code 2 if the environment cannot be read, or if the report cannot be written to a
    /// place that was asked for: a run whose report nobody will find should not look like one that has none.
    package func begin() {
        state.withLock { state in
            guard !state.hasBegun else { return }
            state.hasBegun = true
            do {
                state.mode = try RunMode(environment: environment)
            } catch {
                stop("\(error)")
            }
            RunMode.warnings(for: environment).forEach(say)
            openReport(&state)
        }
    }

    private func openReport(_ state: inout State) {
        let place = ReportLocation.resolve(
            environment: environment,
            arguments: CommandLine.arguments,
            workingDirectory: URL(fileURLWithPath: workingDirectory, isDirectory: true)
        )
        let run = Report.Run(
            id: RunIdentity.current(environment: environment),
            startedAt: Date(),
            mode: state.mode.name,
            settings: state.mode.settings
        )
        let file = ReportFile(url: place.url, run: run)
        state.path = SourcePath.relative(place.url.path, to: workingDirectory)
        do {
            try file.open()
            state.file = file
        } catch {
            guard !place.wasAskedFor else { stop("\(error)") }
            warn(error, &state)
        }
    }

    private func write(_ state: inout State, _ body: (ReportFile) throws(ReportFileError) -> Void) {
        guard let file = state.file else { return }
        do {
            try body(file)
        } catch {
            warn(error, &state)
        }
    }

    private func stop(_ reason: String) -> Never {
        say("\(reason). No test was run.")
        exit(2)
    }

    /// A report that cannot be written is worth one warning; the tests' outcome stands.
    private func warn(_ error: ReportFileError, _ state: inout State) {
        guard !state.hasWarned else { return }
        state.hasWarned = true
        say("\(error); the tests' outcome stands, their report does not")
    }
}

// MARK: - Flakes

extension Ledger {
    /// Asked before a failure is suppressed that would be the first flake of its attempt: why it may not be.
    package func refusal() -> Refusal? {
        state.withLock { state in
            if state.mode.isStrict {
                state.effects.strictFailures += 1
                return .strict
            }
            if let limit = state.mode.maxFlakes, state.effects.flakes >= limit {
                state.effects.beyondLimit += 1
                return .limit(limit)
            }
            state.effects.flakes += 1
            return nil
        }
    }

    /// Puts a test that flaked into the report, or what became of it since.
    ///
    /// When this returns, a test that is announced for the first time stands in the report on disk. What is known of it
    /// later may be written a little later.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - flake: The flake that this attempt ended with; `nil` if it did not flake.
    ///   - attempt: The attempt, as far as it is known; one with the same number and start replaces it.
    ///   - outcome: How it stands with the test now.
    package func record(_ test: TestName, flake: Flake?, attempt: Attempt, outcome: Retry.Outcome) {
        var attempt = attempt
        for index in attempt.failures.indices {
            attempt.failures[index].file = attempt.failures[index].file.map(relative)
        }
        state.withLock { state in
            let isNew = state.retries[test] == nil
            if isNew { state.order.append(test) }
            state.retries[test, default: Retry(of: test)].add(attempt, outcome: outcome)
            if let section = flake?.section {
                state.retries[test]?.take(section, file: relative("\(section.file)"))
            }
            guard let retry = state.retries[test] else { return }
            if isNew {
                write(&state) { file throws(ReportFileError) in try file.update(retry) }
            } else if outcome != .pending || retry.attempts.count.isWorthWriting {
                write(&state) { file throws(ReportFileError) in try file.updateSoon(retry) }
            }
        }
    }

    /// Puts a step that needed a retry into the report.
    package func record(_ step: Step) {
        var step = step
        step.file = step.file.map(relative)
        state.withLock { state in
            write(&state) { file throws(ReportFileError) in try file.add(step) }
        }
    }

    /// Says that a test recovered and failed its run all the same, because the run's mode asks for it.
    package func noteFailureOfRecovered() {
        state.withLock { $0.effects.failedThoughRecovered += 1 }
    }

    /// Says that a round waited before it began.
    package func noteDelay() {
        state.withLock { $0.effects.delays += 1 }
    }

    /// A path as the report shows it: relative to the working directory if it lies under it.
    package func relative(_ path: String) -> String {
        SourcePath.relative(path, to: workingDirectory)
    }
}

// MARK: - The end

extension Ledger {
    /// Completes the report and says on standard error what flaked; says nothing if nothing did.
    package func finish() {
        let lines = state.withLock { state -> [String] in
            write(&state) { file throws(ReportFileError) in try file.close() }
            return LastWord(
                retries: state.order.compactMap { state.retries[$0] },
                effects: state.effects,
                mode: state.mode,
                report: state.file == nil ? nil : state.path
            ).lines
        }
        lines.forEach(say)
    }
}

extension Retry {
    fileprivate init(of test: TestName) {
        self.init(name: test.name, module: test.module, maxRetriesAllowed: 0, reason: "", fixable: false)
    }

    /// Takes over what the mark of the section says that flaked last.
    fileprivate mutating func take(_ section: Section, file: String) {
        maxRetriesAllowed = section.mark.maxRetryCount
        reason = section.mark.reason
        fixable = section.mark.isFixable
        self.file = file
        line = Int(clamping: section.line)
    }

    fileprivate mutating func add(_ attempt: Attempt, outcome: Outcome) {
        if let last = attempts.last, last.number == attempt.number, last.startedAt == attempt.startedAt {
            attempts[attempts.count - 1] = attempt
        } else {
            attempts.append(attempt)
            if attempt.number > 1 { attemptedRetries += 1 }
        }
        self.outcome = outcome
    }
}

extension Int {
    /// Whether a test that is still pending after so many attempts is written again: always at first, then ever more
    /// rarely, so that a test with thousands of attempts is not written thousands of times.
    fileprivate var isWorthWriting: Bool { self <= 16 || nonzeroBitCount == 1 }
}
