import Foundation
import Groundwork
import RetryReport

// Most flakes are waits that starved on a busy machine; retried at once, they starve again. So a retry waits until the machine
// is quiet, within bounds.

extension MachineLoad {
    /// The processor time of the computation. On two processors, 6 ms distinguished 0 or 1 busy loops from 2, 4 or 8 in 99 of
    /// 100 looks.
    private static let computation = 0.006

    /// Looks at the machine from a thread.
    ///
    /// - Parameter seconds: The length of the sleep; `nil` for a short one, or for the last look if it is recent.
    package static func now(sleeping seconds: Double? = nil) -> MachineLoad {
        if seconds == nil, let recent { return recent }
        let start = Clocks()
        Thread.sleep(forTimeInterval: seconds ?? 0.002)
        return load(since: start, slept: seconds ?? 0.002)
    }

    /// Looks at the machine from a task, whose sleep ends late where the thread pool is full.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package static func nowInTask(sleeping seconds: Double? = nil) async throws -> MachineLoad {
        if seconds == nil, let recent { return recent }
        let start = Clocks()
        try await Task.sleep(nanoseconds: UInt64((seconds ?? 0.002) * 1_000_000_000))
        if seconds == nil, let recent { return recent }
        return load(since: start, slept: seconds ?? 0.002)
    }

    private static let latest = Locked<(load: MachineLoad, time: Double)?>(nil)

    /// The last look, if it is not older than a tenth of a second: hundreds of tests may flake at once.
    private static var recent: MachineLoad? {
        guard let last = latest.withLock({ $0 }), Clocks().wall - last.time < 0.1 else { return nil }
        return last.load
    }

    private static func load(since start: Clocks, slept seconds: Double) -> MachineLoad {
        let awake = Clocks()
        var thread = 0.0
        let before = Clocks.seconds(CLOCK_THREAD_CPUTIME_ID)
        var end = Clocks()
        while thread < computation {
            thread = Clocks.seconds(CLOCK_THREAD_CPUTIME_ID) - before
            end = Clocks()
        }
        let look = MachineLoad(
            late: max(0, awake.wall - start.wall - seconds),
            own: max(0, end.process - start.process - thread) / (end.wall - start.wall),
            slowdown: (end.wall - awake.wall) / thread
        )
        latest.withLock { $0 = (look, end.wall) }
        return look
    }

    private struct Clocks {
        let wall = seconds(CLOCK_MONOTONIC)
        let process = seconds(CLOCK_PROCESS_CPUTIME_ID)

        static func seconds(_ clock: clockid_t) -> Double {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        }
    }
}

/// Decides when retries go, from looks at the machine and the time, with no clock of its own.
///
/// Retries take turns, in the order in which they flaked, so that they do not disturb each other. Waiting while the process's
/// own tests compute costs the run nothing, so an hour of it is allowed; all other waiting, of all retries together, is
/// bounded by ``longestWait``.
package struct QuietWait: Sendable {
    /// A retry that waits, or runs in its turn.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
        let start: Double
        fileprivate let deadline: Double
        fileprivate var quietLooks = 0
    }

    /// The most seconds of other waiting.
    private static let longestWait = 10.0

    let processors: Int
    /// The seconds of waiting that are left to all retries of the process.
    private var left = longestWait
    /// The same while the process's own tests compute. Bounded, because a thread that a test left behind may never end.
    private var leftBesideOwnTests = 3600.0
    /// A look was not quiet; from then on, three in a row have to be.
    private var hasBeenBusy = false
    private var ownTestsCompute = false
    private var tickets: [Int] = []
    private var last = 0
    private var countedUntil: Double?

    init(processors: Int = ProcessInfo.processInfo.activeProcessorCount) {
        self.processors = processors
    }

    /// The seconds that a retry may wait: all of a test's together, a quarter of its time limit.
    package static func longestWait(timeLimit: Double?, waited: Double) -> Double {
        timeLimit.map { $0 / 4 - waited } ?? .infinity
    }

    mutating func enter(at now: Double, waitingAtMost seconds: Double = .infinity) -> Ticket {
        last += 1
        tickets.append(last)
        return Ticket(number: last, start: now, deadline: now + seconds)
    }

    mutating func leave(_ ticket: Ticket) {
        tickets.removeAll { $0 == ticket.number }
    }

    func hasTurn(_ ticket: Ticket) -> Bool { tickets.prefix(max(1, processors / 2)).contains(ticket.number) }

    /// Decides whether a retry goes now.
    ///
    /// - Parameter look: The look at the machine; `nil` while the retry waits for its turn.
    mutating func goes(_ ticket: inout Ticket, after look: MachineLoad?, at now: Double) -> Bool {
        let since = max(countedUntil ?? 0, ticket.start)
        let passed = max(0, now - since)
        if ownTestsCompute { leftBesideOwnTests -= passed } else { left -= passed }
        countedUntil = max(now, since)
        if let look {
            ownTestsCompute = look.own >= Double(processors) / 2
            if look.cause(processors: processors) == nil {
                ticket.quietLooks += 1
            } else {
                ticket.quietLooks = 0
                hasBeenBusy = true
            }
        }
        let isQuiet = hasTurn(ticket) && ticket.quietLooks >= (hasBeenBusy ? 3 : 1)
        guard isQuiet || min(left, leftBesideOwnTests) <= 0 || now >= ticket.deadline else { return false }
        ownTestsCompute = false  // what the last look found is not known while nobody looks
        return true
    }
}

// MARK: - Waiting

extension QuietWait {
    private static let shared = Locked(QuietWait())
    private static var now: Double { ProcessInfo.processInfo.systemUptime }

    /// Waits before a round of retries.
    package static func beforeRound() {
        func look(sleeping seconds: Double? = nil) -> MachineLoad {
            var look = MachineLoad.now(sleeping: seconds)
            look.own = 0  // no test runs: what still computes was left behind, and may compute for ever
            return look
        }
        var load = look()
        let processors = shared.withLock(\.processors)
        var cause = load.cause(processors: processors)
        // With `--parallel`, each flaky test has a process of its own; the waiting in all of them is bounded together.
        let most = cause == nil ? .infinity : longestWait - ProcessRun.shared.report.secondsWaitedElsewhere
        var ticket = shared.withLock { $0.enter(at: now, waitingAtMost: most) }
        defer { end(ticket) }
        while !shared.withLock({ $0.goes(&ticket, after: load, at: now) }) {
            load = look(sleeping: 0.02)
            cause = load.cause(processors: processors) ?? cause
        }
        report(ticket, cause, "the next round of retries")
    }

    /// Waits for a retry's turn, and for a quiet machine; no longer if the task is cancelled.
    ///
    /// - Parameters:
    ///   - look: The look at the machine right after the flake.
    ///   - test: The name of the test.
    ///   - seconds: The longest wait that the test's time limit allows.
    /// - Returns: The ticket of the retry, to end when it has run.
    package static func beforeRetry(
        of test: String,
        after look: MachineLoad,
        atMost seconds: Double,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Ticket {
        var ticket = shared.withLock { $0.enter(at: now, waitingAtMost: seconds) }
        var look: MachineLoad? = look
        var cause: String?
        while !shared.withLock({ $0.goes(&ticket, after: look, at: now) }) {
            cause = look?.cause(processors: shared.withLock(\.processors)) ?? cause
            do {
                if shared.withLock({ $0.hasTurn(ticket) }) {
                    look = try await .nowInTask(sleeping: 0.02)
                } else {
                    look = nil
                    try await Task.sleep(nanoseconds: 20_000_000)
                }
            } catch { break }  // cancelled
        }
        report(ticket, cause, "the retry of \(test)")
        return ticket
    }

    package static func end(_ ticket: Ticket) {
        shared.withLock { $0.leave(ticket) }
    }

    private static func report(_ ticket: Ticket, _ cause: String?, _ retry: String) {
        let waited = now - ticket.start
        guard waited > 1 else { return }
        let seconds = (waited * 10).rounded() / 10
        log("\(retry) waited \(seconds) s\(cause.map { ", \($0)" } ?? "")")
    }
}
