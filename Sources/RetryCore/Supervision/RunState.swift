import Groundwork

/// The progress of a run, in memory that is shared with forked processes.
///
/// The suites have numbers, in the order in which they begin, the outermost first. The last of the listed ones has all
/// retries in it. The number after that stands for the retries of one class in one round, and then for the next
/// class's.
package struct RunState: Sendable {
    /// The progress of a suite.
    package enum Progress: BitwiseCopyable, Sendable {
        case ahead, open, over
    }

    private struct Suite: BitwiseCopyable, Sendable {
        /// The suite around it; `nil` for the outermost.
        var parent: Int?
        /// The suite has tests, and not only suites.
        var hasTests: Bool
        var progress = Progress.ahead
        /// The results of its tests, and of the suites in it that have ended.
        var totals = Totals()
    }

    package struct Test: BitwiseCopyable, Sendable {
        /// The suite that it runs in; `nil` while it waits for its next attempt.
        package fileprivate(set) var suite: Int?
        /// The number of attempts before the one that runs or is to run.
        package fileprivate(set) var retryCount = 0
        /// The test has ended for good.
        package fileprivate(set) var hasEnded = false
    }

    /// The attempt that runs.
    package struct Attempt: BitwiseCopyable, Sendable {
        package let test: Int
        /// When it began, in seconds since 1970.
        package let start: Double
        package fileprivate(set) var totals = Totals()
    }

    private struct Moment: BitwiseCopyable, Sendable {
        var attempt: Attempt?
        var moves = 0
        var counts = RunCounts()
    }

    private let suites: SharedArray<Suite>
    package let tests: SharedArray<Test>
    private let moment: SharedArray<Moment>

    /// - Parameters:
    ///   - parents: The suite around each listed suite.
    ///   - suites: The suite around each listed test.
    package init(parents: [Int?], suitesOfTests suites: [Int]) throws(SystemError) {
        let holders = Set(suites)
        let listed = parents.enumerated().map { Suite(parent: $1, hasTests: holders.contains($0)) }
        self.suites = try SharedArray(listed + [Suite(parent: parents.count - 1, hasTests: true)])
        tests = try SharedArray(suites.map { Test(suite: $0) })
        moment = try SharedArray([Moment()])
    }

    /// The number of the suite with all retries.
    package var retries: Int { suites.count - 2 }

    /// The number of the suite with the retries of one class.
    package var retriesOfClass: Int { suites.count - 1 }

    /// - Returns: A function that restores the state of this moment.
    func save() -> () -> Void {
        let restore = [suites.save(), tests.save(), moment.save()]
        return { for restore in restore { restore() } }
    }

    // MARK: - What happens

    /// Notes progress, so that the run does not count as hanging.
    package func move() { moment[0].moves &+= 1 }

    package func begin(suite: Int) {
        suites[suite].progress = .open
        suites[suite].totals = Totals()
    }

    /// The suite of one class's retries is about to begin.
    package func gather(_ retried: [Int]) {
        for test in tests.indices where tests[test].suite == retriesOfClass { tests[test].suite = nil }
        for test in retried { tests[test].suite = retriesOfClass }
    }

    package func end(suite: Int) {
        suites[suite].progress = .over
        if let parent = suites[suite].parent { suites[parent].totals += suites[suite].totals }
    }

    /// A suite has failed, and not one of its tests.
    package func fail(suite: Int) { suites[suite].totals.failures += 1 }

    package func begin(test: Int, at start: Double) { moment[0].attempt = Attempt(test: test, start: start) }

    /// The attempt has failed once more.
    package func failAttempt() { moment[0].attempt?.totals.failures += 1 }

    /// The result of the attempt, which is about to end.
    package func count(_ totals: Totals) { moment[0].attempt?.totals = totals }

    /// The attempt has ended.
    ///
    /// - Parameter needsRetry: The test is to be run again.
    package func endAttempt(needsRetry: Bool) {
        guard let attempt = moment[0].attempt else { return }
        if let suite = tests[attempt.test].suite { suites[suite].totals += attempt.totals }
        if needsRetry {
            tests[attempt.test].suite = nil
            tests[attempt.test].retryCount += 1
        } else {
            tests[attempt.test].hasEnded = true
        }
        moment[0].attempt = nil
    }

    /// The effects of the run's settings so far.
    package var counts: RunCounts {
        get { moment[0].counts }
        nonmutating set { moment[0].counts = newValue }
    }

    // MARK: - What is known

    /// The number of moves so far; `nil` while neither a test nor a class runs.
    package var moves: Int? { suites[innermost].hasTests ? moment[0].moves : nil }

    package var attempt: Attempt? { moment[0].attempt }

    package func progress(of suite: Int) -> Progress { suites[suite].progress }

    package func totals(of suite: Int) -> Totals { suites[suite].totals }

    /// The outermost suite has ended.
    package var isOver: Bool { suites[0].progress == .over }

    /// Every suite and every test has ended, and nothing has failed.
    package var isGreen: Bool { isOver && tests.allSatisfy(\.hasEnded) && !suites[0].totals.hasFailed }

    /// The number of attempts that have ended.
    package var endings: Int { tests.reduce(0) { $0 + $1.retryCount + ($1.hasEnded ? 1 : 0) } }

    /// The tests that wait for their next attempt, or had begun it, those of the next round last.
    package var retried: [Int] {
        tests.indices.filter { tests[$0].retryCount > 0 && !tests[$0].hasEnded }
            .sorted { (tests[$0].retryCount, $0) < (tests[$1].retryCount, $1) }
    }

    /// The innermost suite that is open.
    var innermost: Int { suites.indices.last { suites[$0].progress == .open } ?? 0 }
}

extension RunState {
    /// The test or suite in which a process ended.
    package enum Interrupted: Hashable, Sendable {
        case test(Int)
        case suite(Int)
    }

    /// The test or suite to fail if the process ends now: the test that runs, or else the next one of the open suite,
    /// so that a class which cannot be set up fails its tests one by one. Where there is none, the suite itself.
    package var interrupted: Interrupted {
        if let attempt { return .test(attempt.test) }
        let suite = innermost
        let next = tests.indices.first { tests[$0].suite == suite && !tests[$0].hasEnded }
        return next.map(Interrupted.test) ?? .suite(suite)
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
