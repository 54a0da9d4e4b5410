import Groundwork

/// The progress of a supervised run, in memory that its processes share.
///
/// The suites are numbered in the order in which they begin, the outermost first. The last listed suite contains all
/// retries. The number after it is used again and again: for the suite of one class's retries in one round, then for the next.
package final class SharedProgress: @unchecked Sendable {
    // Safe to send: what changes is in shared memory, where one process at a time records, under a lock.

    /// The supervised run of this process; `nil` unless its tests are supervised. Set at most once, before the first test.
    nonisolated(unsafe) package static var current: SharedProgress?

    package enum Stage: BitwiseCopyable, Sendable {
        case ahead, open, over
    }

    package struct Suite: BitwiseCopyable, Sendable {
        /// The suite around it; `nil` for the outermost.
        fileprivate var parent: Int?
        /// The suite has tests, and not only suites.
        fileprivate var hasTests: Bool
        package fileprivate(set) var stage = Stage.ahead
        /// The results of its tests, and of the suites in it that have ended.
        package fileprivate(set) var totals = Totals()
    }

    package struct Test: BitwiseCopyable, Sendable {
        /// The suite that it runs in; `nil` while it waits for its next attempt.
        package fileprivate(set) var suite: Int?
        /// The number of attempts before the one that runs or is to run.
        package fileprivate(set) var retryCount = 0
        package fileprivate(set) var hasEnded = false
    }

    package struct RunningAttempt: BitwiseCopyable, Sendable {
        package let test: Int
        /// When it began, in seconds since 1970.
        package let start: Double
        package fileprivate(set) var failures = 0
    }

    private struct Moment: BitwiseCopyable, Sendable {
        var attempt: RunningAttempt?
        var moves = 0
        var counts = RunCounts()
        var isFrozen = false
        var crash: AttemptSlots.Crash?
    }

    package let suites: UnsafeMutableBufferPointer<Suite>
    package let tests: UnsafeMutableBufferPointer<Test>
    private let moment: UnsafeMutableBufferPointer<Moment>
    package let openSections: SharedLines
    package let firstFlake: SharedLines
    /// The attempt that runs in this process, if it can flake. Its lock is held while anything is recorded.
    private let running = Locked<Attempt?>(nil)

    /// - Parameter parents: The suite around each listed suite.
    package init(parents: [Int?], suitesOfTests suites: [Int]) throws(SystemError) {
        let holders = Set(suites)
        let listed = parents.enumerated().map { Suite(parent: $1, hasTests: holders.contains($0)) }
        self.suites = try share(listed + [Suite(parent: parents.count - 1, hasTests: true)])
        tests = try share(suites.map { Test(suite: $0) })
        moment = try share([Moment()])
        openSections = try SharedLines()
        firstFlake = try SharedLines()
    }

    package var classRetriesSuite: Int { suites.count - 1 }

    // MARK: - Recording

    /// Ignores what the tests' process records from now on, because it is ending: its threads go on for a moment.
    ///
    /// - Parameter crash: The crash by which it probably ends. A signal handler may call this.
    package func freeze(at crash: AttemptSlots.Crash? = nil) {
        // What comes after an `exit` does not count, unless that was the end of the run.
        if moment[0].crash == nil, !isFrozen || isOver { moment[0].crash = crash }
        moment[0].isFrozen = true
    }

    /// Before another process records.
    package func thaw() { (moment[0].isFrozen, moment[0].crash) = (false, nil) }

    /// What happens in this process does not count any more.
    package var isFrozen: Bool { moment[0].isFrozen }

    /// The first crash by which the tests' process should have ended.
    package var crash: AttemptSlots.Crash? { moment[0].crash }

    private func record(_ change: (inout Attempt?) -> Void) {
        running.withLock { running in
            guard !moment[0].isFrozen else { return }
            change(&running)
            moment[0].moves &+= 1
        }
    }

    package func begin(suite: Int) {
        record { _ in
            suites[suite].stage = .open
            suites[suite].totals = Totals()
        }
    }

    package func begin(retriesOf retried: [Int]) {
        record { _ in
            for test in tests.indices where tests[test].suite == classRetriesSuite { tests[test].suite = nil }
            for test in retried { tests[test].suite = classRetriesSuite }
        }
        begin(suite: classRetriesSuite)
    }

    package func end(suite: Int) {
        record { _ in
            suites[suite].stage = .over
            if let parent = suites[suite].parent { suites[parent].totals += suites[suite].totals }
        }
    }

    /// Adds a failure to a suite itself, not to one of its tests.
    package func fail(suite: Int) {
        record { _ in suites[suite].totals.failures += 1 }
    }

    /// Begins an attempt of a test, unless one runs already.
    package func begin(test: Int, at start: Double, as attempt: Attempt? = nil) {
        record { running in
            guard moment[0].attempt == nil else { return }
            // The attempt before may have left some, or have died with them in another process.
            openSections.write([])
            firstFlake.write(nil)
            moment[0].attempt = RunningAttempt(test: test, start: start)
            running = attempt
        }
    }

    /// Adds a failure to the attempt that runs, if it is of this test.
    package func fail(test: Int) {
        record { _ in
            if moment[0].attempt?.test == test { moment[0].attempt?.failures += 1 }
        }
    }

    /// Adds the result of a test that is not listed, such as one that an observer has added.
    package func count(unlisted totals: Totals) {
        record { _ in
            // A test that runs may have run it by hand. It then decides what the result means.
            if moment[0].attempt == nil { suites[innermost].totals += totals }
        }
    }

    /// Ends the attempt with its complete result.
    package func endAttempt(_ totals: Totals, needsRetry: Bool) {
        record { running in
            guard let attempt = moment[0].attempt else { return }
            if let suite = tests[attempt.test].suite { suites[suite].totals += totals }
            if needsRetry {
                tests[attempt.test].suite = nil
                tests[attempt.test].retryCount += 1
            } else {
                tests[attempt.test].hasEnded = true
            }
            (moment[0].attempt, running) = (nil, nil)
        }
    }

    func write(open sections: some Sequence<Section>, of attempt: Attempt) {
        record { if $0 === attempt { openSections.write(sections) } }
    }

    func write(_ flake: Flake, of attempt: Attempt) {
        record { if $0 === attempt { firstFlake.write(flake) } }
    }

    func write(_ counts: RunCounts) {
        record { _ in moment[0].counts = counts }
    }

    // MARK: - The state

    package var counts: RunCounts { moment[0].counts }

    /// The number of changes recorded so far; `nil` while neither a test nor a class runs.
    package var moves: Int? { suites[innermost].hasTests ? moment[0].moves : nil }

    package var attempt: RunningAttempt? { running.withLock { _ in moment[0].attempt } }

    package var isOver: Bool { suites[0].stage == .over }

    /// Every suite and every test has ended, and nothing has failed.
    package var isGreen: Bool { isOver && tests.allSatisfy(\.hasEnded) && !suites[0].totals.hasFailed }

    /// The number of attempts that have ended.
    package var endings: Int { tests.reduce(0) { $0 + $1.retryCount + ($1.hasEnded ? 1 : 0) } }

    /// The tests that wait for a retry or have begun one, ordered by round.
    package var retried: [Int] {
        tests.indices.filter { tests[$0].retryCount > 0 && !tests[$0].hasEnded }
            .sorted { (tests[$0].retryCount, $0) < (tests[$1].retryCount, $1) }
    }

    private var innermost: Int { suites.indices.last { suites[$0].stage == .open } ?? 0 }

    /// The test or suite in which a process ended.
    package enum InterruptedPart: Hashable, Sendable {
        case test(Int)
        case suite(Int)
    }

    /// The test or suite to fail if the process ends now. It is the test that runs, or else the next one of the open suite,
    /// so that a class which cannot be set up fails its tests one by one; where there is none, the suite itself.
    package var interrupted: InterruptedPart {
        if let attempt { return .test(attempt.test) }
        let suite = innermost
        let next = tests.indices.first { tests[$0].suite == suite && !tests[$0].hasEnded }
        return next.map(InterruptedPart.test) ?? .suite(suite)
    }
}

/// The results of tests, as XCTest counts them.
package struct Totals: Hashable, Sendable, BitwiseCopyable {
    package var duration = 0.0
    package var executions = 0
    package var skips = 0
    package var failures = 0
    package var exceptions = 0

    package init() {}

    package var hasFailed: Bool { failures + exceptions > 0 }

    package static func += (totals: inout Totals, more: Totals) {
        totals.duration += more.duration
        totals.executions += more.executions
        totals.skips += more.skips
        totals.failures += more.failures
        totals.exceptions += more.exceptions
    }
}
