import Foundation
import Groundwork
import RetryCore
import RetryReport
import Testing

/// Runs one test case until an attempt does not flake. With no retries left, a failure is real, so the loop needs no count.
///
/// Swift Testing has no hook that runs after all tests, so a retry runs inside the same test case, right after the attempt that
/// flaked. A serialized test therefore stays serialized, and a time limit covers all attempts together. An attempt that flaked is
/// always followed by another, even if it also failed outside of its sections, because a trait may still filter that failure out.
/// In that case, a pass does not count as a recovery.
struct RetryLoop {
    private let test: Test
    private let testCase: Test.Case?
    private let name: TestName
    /// The time at which waiting for a quiet machine ends: it may use a quarter of what the first attempt left of the time limit, and
    /// half of what all retries that the mark allows would leave, if each takes as long.
    private let latestStart: Date

    /// Runs the attempts of a test case. Inside an attempt it only runs `body`, because a test may inherit the trait from several
    /// suites.
    static func run(_ test: Test, _ testCase: Test.Case?, _ body: @Sendable () async throws -> Void) async throws {
        guard Attempt.current == nil else { return try await body() }
        let key = CasesInProgress.start(test, testCase)
        defer { CasesInProgress.finish(key) }
        let first: EndedAttempt
        if let left = AttemptSlots.current?.take("\(test.id)", testCase?.identity(in: test) ?? "") {
            if left.entry.state.stage == .passed { return }
            first = .conclude(left.entry, in: left.slot, of: test, testCase)
        } else {
            first = await .run(.of(test, testCase, retryCount: 0), of: test, body)
        }
        guard let flake = first.attempt.flake else {
            if first.attempt.retryCount > 0 { Self.reportAttempt(first, of: CaseName.of(test, testCase)) }
            // Most tests: nothing flaked, so nothing is written, named or logged.
            if first.attempt.hasFailed { RunLifecycle.hasFailure.withLock { $0 = true } }
            if let error = first.error { throw error }
            return first.attempt.notePassed(test, testCase)
        }
        var latestStart = Date.distantFuture
        if #available(macOS 13, iOS 16, tvOS 16, watchOS 9, *), let limit = test.timeLimit {
            let left = max(Double(limit.components.seconds) - first.duration, 0)
            let retries = first.duration * Double(flake.section.mark.maxRetryCount)
            latestStart = Date(timeIntervalSinceNow: min(left / 4, (left - retries) / 2))
        }
        let name = CaseName.of(test, testCase)
        let loop = RetryLoop(test: test, testCase: testCase, name: name, latestStart: latestStart)
        try await loop.retry(flake, first, body)
    }

    private func retry(_ first: Flake, _ end: EndedAttempt, _ body: @Sendable () async throws -> Void) async throws {
        var (flake, last, earlier) = (first, end, [EndedAttempt]())
        while true {
            let ticket = await prepareRetry(after: last)
            defer { ticket.map(QuietWait.end) }
            // A test that was cancelled, by a time limit or by itself, has no time for a retry and must not count as recovered.
            guard !Task.isCancelled else {
                fail(last, like: flake, "and was cancelled before a retry")
                break
            }
            // Swift Testing gets only the last attempt's error, so earlier ones are recorded here. `#require` records its own.
            if let error = last.error, !error.isSkip, !(error is ExpectationFailedError) {
                Issue.record(error, sourceLocation: test.sourceLocation)
            }
            earlier.append(last)
            last = await .run(.of(test, testCase, retryCount: last.attempt.retryCount + 1), of: test, body)
            guard let again = last.attempt.flake else {
                verifyPassed(last, flakedWith: flake, isRecovery: !earlier.contains { $0.attempt.hasFailed })
                break
            }
            flake = again
        }
        if let error = last.error { throw error }
        last.attempt.notePassed(test, testCase)
    }

    /// Reports an attempt that flaked, then waits for the delay, for the retry's turn and for a quiet machine.
    ///
    /// - Returns: The retry's ticket; `nil` if the retry does not wait, or if the test is cancelled.
    private func prepareRetry(after end: EndedAttempt) async -> QuietWait.Ticket? {
        // Looking at the machine takes a while, in which another test may end a supervised process. The next one goes on with
        // what is in the report or, if that was not written yet, in the slot.
        if end.attempt.slot != nil, !end.isReported { reportAttempt(end) }
        // It throws only if the test is cancelled, and then there is no retry.
        guard let look = try? await MachineLoad.look(), !Task.isCancelled else { return nil }
        if !end.isReported {
            end.attempt.change { $0.machine = look }
            reportAttempt(end)
        }
        let delay = ProcessContext.shared.settings.retryDelay
        if delay == 0 { return nil }
        if let delay {
            ProcessContext.shared.count(\.delays)
            try? await Task.sleep(nanoseconds: UInt64(delay * 1_000_000_000))  // it throws if the test is cancelled
        }
        return await QuietWait.beforeRetry(of: name.name, after: look, atMost: latestStart.timeIntervalSinceNow)
    }

    /// Fails a retry that did not flake again and has not shown that the test passes.
    private func verifyPassed(_ end: EndedAttempt, flakedWith flake: Flake, isRecovery: Bool) {
        if end.attempt.hasFailed {
            // Swift Testing does not count a cancellation's error as a failure if the test is cancelled by then.
            if end.error?.isCancellation == true { record(flake.failure(because: "and the retry was cancelled")) }
            reportAttempt(end)
        } else if end.error?.isSkip == true || Task.isCancelled {
            fail(end, like: flake, "and the retry was cancelled", wasSkipped: end.error != nil)
        } else if !end.attempt.hasEnteredSection, test.hasOtherScope(in: testCase, onlyInside: true) {
            // Only a section would show that the trait has not left out the test.
            fail(end, like: flake, "and the retry did not come to a flaky section")
        } else {
            if isRecovery, let failure = end.attempt.countRecovered(from: flake) { record(failure) }
            reportAttempt(end)
        }
    }

    /// Fails the test where it had flaked, and reports that.
    private func fail(_ end: EndedAttempt, like flake: Flake, _ what: String, wasSkipped: Bool = false) {
        let failure = flake.failure(because: what)
        record(failure)
        end.attempt.fail(with: failure, wasSkipped: wasSkipped)
        reportAttempt(end)
    }

    private func record(_ failure: Failure) {
        let path = failure.file ?? ""
        let fileID = "\(test.id.moduleName)/\(path.split(separator: "/").last ?? "unknown")"
        let place = SourceLocation(fileID: fileID, filePath: path, line: max(failure.line ?? 1, 1), column: 1)
        Issue.record(Comment(rawValue: failure.message), sourceLocation: place)
    }

    private func reportAttempt(_ end: EndedAttempt) {
        if !end.attempt.hasFailed { Self.notFailed.withLock { $0.append((name, end)) } }
        Self.reportAttempt(end, of: name)
    }

    private static func reportAttempt(_ end: EndedAttempt, of name: TestName) {
        ProcessContext.shared.report.put(
            end.attempt,
            of: name,
            since: end.startedAt,
            duration: end.duration,
            counting: end.uncounted
        )
    }

    /// The attempts that had not failed when they were reported. Their tests are not kept, see `TraitInUse`.
    private static let notFailed = Locked<[(name: TestName, end: EndedAttempt)]>([])

    /// Reports again the attempts that have failed since, because of a task that they left behind.
    static func reportLateFailures() {
        let failed = notFailed.withLock { $0.filter(\.end.attempt.hasFailed) }
        for (name, end) in failed { reportAttempt(end, of: name) }
    }
}

/// An attempt that is over.
private struct EndedAttempt {
    let attempt: Attempt
    let startedAt: Date
    let duration: Double
    /// The error that is left to Swift Testing: a real failure, a skip, or what `#require` throws after it has recorded its
    /// issue.
    let error: (any Error)?
    /// An earlier process has reported it, in more detail.
    var isReported = false
    /// The sections that count with its record, if it has one.
    var uncounted: [Section: SectionResult] = [:]

    /// Runs an attempt, which is the whole test once, to its end.
    static func run(_ attempt: Attempt, of test: Test, _ body: @Sendable () async throws -> Void) async -> Self {
        await attempt.beginTaskOrder()
        let startedAt = attempt.slot.map { Date(timeIntervalSince1970: $0.start) } ?? Date()
        let thrown = await attempt.runNotingRealIssues(body)
        attempt.endTaskOrder()
        let error = thrown.flatMap { judgeThrown($0, by: attempt, of: test) }
        // A task that the test did not wait for may still have a section open. What fails in it from now on is real.
        let uncounted = end(attempt, of: test)
        let duration = Date().timeIntervalSince(startedAt)
        attempt.endSlot(attempt.needsRetry ? .flaked : .ended)
        return Self(attempt: attempt, startedAt: startedAt, duration: duration, error: error, uncounted: uncounted)
    }

    /// Ends an attempt. The sections that it has entered count now, unless it is to be reported.
    ///
    /// - Returns: Those that do not count yet.
    private static func end(_ attempt: Attempt, of test: Test) -> [Section: SectionResult] {
        let entered = attempt.end()
        if attempt.flake != nil || attempt.retryCount > 0 { return entered }
        ProcessContext.shared.report.count(entered, module: test.id.moduleName)
        return [:]
    }

    /// Concludes an attempt that an earlier process left unfinished, or did not get to retry.
    static func conclude(
        _ entry: AttemptSlots.Entry,
        in slot: AttemptSlots.Slot,
        of test: Test,
        _ testCase: Test.Case?
    ) -> Self {
        let attempt = Attempt(retryCount: entry.retryCount, slot: slot)
        let startedAt = Date(timeIntervalSince1970: entry.state.start)
        let name = CaseName.of(test, testCase)
        let report = ProcessContext.shared.report
        report.forget(attemptsAfter: entry.retryCount + 1, of: name)
        let isReported = entry.death == nil && report.hasFlake(of: name, attempt: entry.retryCount + 1)
        attempt.noteTaskSeed()
        if let death = entry.death {
            let verdict = attempt.judge(death, in: entry.sections, after: entry.flake)
            // Before anything is shown, because meanwhile another test may end this process, too.
            if attempt.needsRetry { attempt.endSlot(.flaked) }
            let failure = Comment(rawValue: "\(death)\(verdict.explanation)")
            func record() { _ = Issue.record(failure, sourceLocation: test.sourceLocation) }
            if case .flake(let section) = verdict {
                withKnownIssue(Comment(rawValue: section.mark.reason), isIntermittent: true) { record() }
            } else {
                record()
            }
        } else {
            attempt.restore(entry.flake ?? report.flake(of: name))
        }
        return Self(
            attempt: attempt,
            startedAt: startedAt,
            duration: Date().timeIntervalSince(startedAt),
            error: nil,
            isReported: isReported,
            uncounted: end(attempt, of: test)
        )
    }

    /// Decides about an error that ended the test, and shows it as a known issue if it flaked.
    ///
    /// - Returns: The error, unless it flaked.
    private static func judgeThrown(_ error: any Error, by attempt: Attempt, of test: Test) -> (any Error)? {
        guard !error.isSkip else { return error }
        var failure = Failure(unplaced: "\(Issue.Kind.errorCaught(error))")
        var record: () -> Void = { Issue.record(error, sourceLocation: test.sourceLocation) }
        if let error = error as? ExpectationFailedError {
            // #require's error was recorded where it was thrown. If that was in another attempt, in another test or in a detached
            // task, it is recorded here.
            guard attempt.record.failures.isEmpty else { return error }
            failure.message = "Expectation failed at \(error.expectation.sourceLocation), outside of this attempt"
            record = { [message = failure.message] in
                Issue.record(Comment(rawValue: message), sourceLocation: test.sourceLocation)
            }
        }
        guard case .flake(let section) = attempt.judge(failure, in: attempt.sections(leftBy: error)) else {
            if error is ExpectationFailedError { record() }  // Swift Testing records any other
            return error
        }
        withKnownIssue(Comment(rawValue: section.mark.reason), isIntermittent: true, record)
        return nil
    }
}

extension Attempt {
    fileprivate static func of(_ test: Test, _ testCase: Test.Case?, retryCount: Int) -> Attempt {
        OpenSection.first
        guard let slots = AttemptSlots.current else { return Attempt(retryCount: retryCount) }
        SupervisedProcess.prepareThread()
        let identity = testCase?.identity(in: test)
        let entry = AttemptSlots.Entry(test: "\(test.id)", testCase: identity, retryCount: retryCount)
        return Attempt(retryCount: retryCount, slot: slots.begin(entry))
    }

    /// Notes that nothing of the test is left to do, unless a trait around this one has yet to see its end.
    fileprivate func notePassed(_ test: Test, _ testCase: Test.Case?) {
        if slot != nil, !hasFailed, !test.hasOtherScope(in: testCase) { endSlot(.passed) }
    }
}

extension Test {
    /// Whether somebody else's trait runs code around the test or suite, or in place of it.
    ///
    /// - Parameter onlyInside: Traits before this library's, which are around all attempts, do not count.
    func hasOtherScope(in testCase: Test.Case?, onlyInside: Bool = false) -> Bool {
        func isOwn(_ trait: any Trait) -> Bool { trait is RetryableTrait || trait is FlakyTrait }
        func isOther(_ trait: some Trait) -> Bool {
            if isOwn(trait) || trait is ParallelizationTrait || trait is IssueHandlingTrait { return false }
            return [nil, testCase].contains { trait.scopeProvider(for: self, testCase: $0) != nil }
        }
        return traits.drop { onlyInside && !isOwn($0) }.contains { isOther($0) }
    }
}

extension Test.Case {
    /// Identifies the case within its test, the same in each process; `nil` if nothing can.
    fileprivate func identity(in test: Test) -> String? {
        guard test.isParameterized else { return "" }
        guard let arguments = CaseArguments(of: self), arguments.isStable else { return nil }
        // A slot has no room for long ones, so they are hashed (FNV-1a), the same in each process.
        guard arguments.identity.utf8.count > 200 else { return arguments.identity }
        return "\(arguments.identity.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })"
    }
}

extension Error {
    /// This error ends a test without a failure: `Test.cancel` throws one, and the error of a cancelled task is treated alike.
    var isSkip: Bool { isTestCancel || isCancellation && Task.isCancelled }

    fileprivate var isCancellation: Bool { isTestCancel || innermost(self) is CancellationError }
}
