import Foundation
import Groundwork
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
        var run: Report.Run?
        var file: ReportFile?
        var path = ""
        var hasWarned = false
        /// In the order in which they flaked first.
        var retries: [Retry] = []
        /// Where each test is in `retries`.
        var places: [TestName: Int] = [:]
        /// Paths as they were told, and as the report shows them: attempts share them.
        var shownPaths: [String: String] = [:]
        /// What the last word has not told of yet, in the order in which it flaked.
        var untold: [Int] = []
        var isUntold: [Bool] = []
        var effects = LastWord.Effects()

        /// Where a test is in `retries`, and whether it is new there.
        mutating func place(of test: TestName) -> (place: Int, isNew: Bool) {
            if let place = places[test] { return (place, false) }
            places[test] = retries.count
            retries.append(Retry(of: test))
            isUntold.append(false)
            return (retries.count - 1, true)
        }
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
    ///
    /// - Parameter inMidRun: Whether tests have run already; what would end the process is then worth a warning.
    /// - Returns: Whether this call did it, and not one before.
    @discardableResult
    package func begin(inMidRun: Bool = false) -> Bool {
        state.withLock { state in
            guard !state.hasBegun else { return false }
            state.hasBegun = true
            do {
                state.mode = try RunMode(environment: environment)
            } catch {
                guard inMidRun else { stop("\(error)") }
                say("\(error); it was not heeded")
            }
            RunMode.warnings(for: environment).forEach(say)
            openReport(&state, inMidRun: inMidRun)
            return true
        }
    }

    private func openReport(_ state: inout State, inMidRun: Bool) {
        let run = Report.Run(
            id: RunIdentity.current(environment: environment),
            startedAt: Date(),
            mode: state.mode.name,
            settings: state.mode.settings
        )
        state.run = run
        var trouble: ReportFileError?
        for place in places {
            let file = ReportFile(url: place.url, run: run)
            do {
                try file.open()
                state.file = file
                state.path = SourcePath.relative(place.url.path, to: workingDirectory)
                return
            } catch {
                guard inMidRun || !place.wasAskedFor else { stop("\(error)") }
                trouble = trouble ?? error
            }
        }
        if let trouble { warn(trouble, &state) }
    }

    /// Where the report may go: where it belongs, and beside the executable if a result bundle cannot take it.
    private var places: [ReportLocation] {
        var outsideBundle = environment
        outsideBundle["XCTestConfigurationFilePath"] = nil
        let places = [environment, outsideBundle].map { environment in
            ReportLocation.resolve(
                environment: environment,
                arguments: CommandLine.arguments,
                workingDirectory: URL(fileURLWithPath: workingDirectory, isDirectory: true)
            )
        }
        return places[0] == places[1] ? [places[0]] : places
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
    package func record(_ test: TestName, flake: Flake?, attempt: Retry.Attempt, outcome: Retry.Outcome) {
        state.withLock { state in
            var attempt = attempt
            for index in attempt.failures.indices {
                guard let file = attempt.failures[index].file else { continue }
                attempt.failures[index].file = shown(file, &state)
            }
            let (place, isNew) = state.place(of: test)
            if !state.isUntold[place] {
                state.isUntold[place] = true
                state.untold.append(place)
            }
            state.retries[place].add(attempt, outcome: outcome)
            if let section = flake?.section {
                let file = shown("\(section.file)", &state)
                state.retries[place].take(section, file: file)
            }
            let retry = state.retries[place]
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

    /// The text of the report as it stands, if no file could take it; `nil` if one did.
    package var reportWithoutFile: [UInt8]? {
        state.withLock { state in
            guard state.hasBegun, state.file == nil else { return nil }
            let retries = state.retries.sorted { ($0.name, $0.module ?? "") < ($1.name, $1.module ?? "") }
            return Report(run: state.run, retries: retries).json()
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

    private func shown(_ path: String, _ state: inout State) -> String {
        if let shown = state.shownPaths[path] { return shown }
        let shown = relative(path)
        state.shownPaths[path] = shown
        return shown
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
            defer {
                for place in state.untold { state.isUntold[place] = false }
                state.untold = []
            }
            return LastWord(
                retries: state.untold.map { state.retries[$0] },
                effects: state.effects,
                mode: state.mode,
                report: state.file == nil ? nil : state.path
            ).lines
        }
        lines.forEach(say)
    }
}
