import Foundation
import Groundwork
import RetryReport

// Most flakes are waits that starved on a busy machine; retried at once, they starve again. So a retry waits until the machine
// is quiet, within bounds.

extension MachineLoad {
    /// The sleep before a look that follows one which was not quiet: three in a row then outlast a pause between two tests.
    fileprivate static let longSleep = 0.012

    /// Looks at the machine from a thread.
    package static func now(after sleep: Double = 0.002) -> MachineLoad {
        let start = Clocks()
        Thread.sleep(forTimeInterval: sleep)
        return load(since: start, sleep)
    }

    /// Looks at the machine from a task, whose sleep ends late if the thread pool is full. Throws if the task is cancelled.
    package static func nowInTask(after sleep: Double = 0.002) async throws -> MachineLoad {
        let start = Clocks()
        try await Task.sleep(nanoseconds: UInt64(sleep * 1_000_000_000))
        return load(since: start, sleep)
    }

    private static let latest = Locked<(load: MachineLoad, time: Double)?>(nil)

    /// The last look, if it is at most a fifth of a second old. Hundreds of tests may flake in a row.
    package static var recent: MachineLoad? {
        latest.withLock { $0 }.flatMap { Clocks().wall - $0.time < 0.2 ? $0.load : nil }
    }

    private static func load(since start: Clocks, _ sleep: Double) -> MachineLoad {
        let awake = Clocks()
        let demandBefore = demand()
        var end = awake
        // On two processors, 6 ms distinguished 0 or 1 busy loops from 2, 4 or 8 in 99 of 100 looks.
        while end.thread - awake.thread < 0.006 { end = Clocks() }
        let thread = end.thread - awake.thread
        let look = MachineLoad(
            late: max(0, awake.wall - start.wall - sleep),
            own: max(0, end.process - start.process - thread) / (end.wall - start.wall),
            slowdown: max((end.wall - awake.wall) / thread, min(demandBefore, demand()))
        )
        latest.withLock { $0 = (look, end.wall) }
        return look
    }

    /// The threads that want to run, for each processor; 0 where the system does not say. Two busy loops that share a processor
    /// and leave the other to the look show only here.
    static func demand(
        in averages: String? = Descriptor.text(at: "/proc/loadavg"),
        processors: Int = ProcessInfo.processInfo.processorCount
    ) -> Double {
        let fields = averages?.split { " /".contains($0) } ?? []
        return fields.count > 3 ? (Double(fields[3]) ?? 0) / Double(processors) : 0
    }

    private struct Clocks {
        let wall = seconds(CLOCK_MONOTONIC)
        let process = seconds(CLOCK_PROCESS_CPUTIME_ID)
        let thread = seconds(CLOCK_THREAD_CPUTIME_ID)

        private static func seconds(_ clock: clockid_t) -> Double {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        }
    }
}

/// Decides when retries go, from looks at the machine and the time.
///
/// Retries take turns, in the order in which they flaked, so that they do not disturb each other. All waiting of all retries
/// together is bounded by ``longestWait``. Waiting while the process's own tests compute costs the run nothing, so an hour of
/// it counts as ``longestWait``. It has to count, because a thread that a test left behind may compute for ever.
package struct QuietWait: Sendable {
    /// A retry that waits, or runs in its turn.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
        fileprivate let start: Double
        fileprivate var deadline: Double
        fileprivate var quietLooks = 0
        /// The cause of the load, from the last look that was not quiet.
        fileprivate var cause: String?
    }

    /// The seconds of all waiting: 9, so that a run takes at most 10 s more with looks and the report.
    private static let longestWait = 9.0

    let processors: Int
    /// The seconds of waiting that are left to all retries of the process.
    private var left = longestWait
    /// `true` once a look was not quiet; from then on, three quiet ones in a row are needed.
    private var hasBeenBusy = false
    private var ownTestsCompute = false
    private var tickets: [Int] = []
    private var countedUntil = 0.0

    init(processors: Int = ProcessInfo.processInfo.activeProcessorCount) {
        self.processors = processors
    }

    mutating func enter(at now: Double = systemUptime, waitingAtMost seconds: Double = .infinity) -> Ticket {
        let ticket = Ticket(number: (tickets.last ?? 0) + 1, start: now, deadline: now + seconds)
        tickets.append(ticket.number)
        return ticket
    }

    mutating func leave(_ ticket: Ticket) {
        tickets.removeAll { $0 == ticket.number }
    }

    func hasTurn(_ ticket: Ticket) -> Bool { tickets.prefix(max(1, processors / 2)).contains(ticket.number) }

    /// Notes a look at the machine, or `nil` while the retry waits for its turn.
    ///
    /// - Returns: `true` if the retry goes now.
    mutating func note(_ look: MachineLoad?, for ticket: inout Ticket, at now: Double = systemUptime) -> Bool {
        let passed = max(0, now - max(countedUntil, ticket.start))
        left -= ownTestsCompute ? passed * Self.longestWait / 3600 : passed
        countedUntil = max(countedUntil, now)
        if let look {
            // Beside others, its tests get less than they could use.
            ownTestsCompute = look.own * look.slowdown >= Double(processors) / 2
            let cause = look.cause(processors: processors)
            ticket.quietLooks = cause == nil ? ticket.quietLooks + 1 : 0
            ticket.cause = cause ?? ticket.cause
            hasBeenBusy = hasBeenBusy || cause != nil
        }
        let isQuiet = hasTurn(ticket) && ticket.quietLooks >= (hasBeenBusy ? 3 : 1)
        guard isQuiet || left <= 0 || now >= ticket.deadline else { return false }
        ownTestsCompute = false  // unknown until the next look
        return true
    }
}

// MARK: - Waiting

extension QuietWait {
    private static let shared = Locked(QuietWait())
    private static var systemUptime: Double { ProcessInfo.processInfo.systemUptime }

    /// Waits before a round of retries.
    package static func beforeRound() {
        var ticket = shared.withLock { $0.enter() }
        func goes(after look: MachineLoad) -> Bool {
            var look = look
            look.own = 0  // no test runs: what still computes was left behind, and may compute for ever
            return shared.withLock { $0.note(look, for: &ticket) }
        }
        if !goes(after: .recent ?? .now()) {
            // With `--parallel`, each flaky test has a process of its own; the waiting in all of them is bounded together.
            ticket.deadline = systemUptime + longestWait - ProcessRun.shared.report.secondsWaitedElsewhere
            while !goes(after: .now(after: MachineLoad.longSleep)) {}
        }
        report(ticket, "the next round of retries")
        end(ticket)
    }

    /// Waits for a retry's turn, and for a quiet machine; no longer if the task is cancelled.
    ///
    /// - Returns: The ticket of the retry, to end when it has run.
    package static func beforeRetry(of test: String, after first: MachineLoad, atMost seconds: Double) async -> Ticket {
        var ticket = shared.withLock { $0.enter(waitingAtMost: seconds) }
        var look: MachineLoad? = first
        while !shared.withLock({ $0.note(look, for: &ticket) }), !Task.isCancelled {
            let isNext = shared.withLock { [ticket] in $0.hasTurn(ticket) }
            if !isNext { try? await Task.sleep(nanoseconds: 20_000_000) }  // both throw only if the task is cancelled
            look = isNext ? try? await .nowInTask(after: MachineLoad.longSleep) : nil
        }
        report(ticket, "the retry of \(test)")
        return ticket
    }

    package static func end(_ ticket: Ticket) {
        shared.withLock { $0.leave(ticket) }
    }

    private static func report(_ ticket: Ticket, _ retry: String) {
        let seconds = systemUptime - ticket.start
        if seconds > 1 {
            log("\(retry) waited \((seconds * 10).rounded() / 10) s\(ticket.cause.map { ", \($0)" } ?? "")")
        }
    }
}
