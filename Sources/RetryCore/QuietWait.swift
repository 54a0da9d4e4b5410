import Foundation
import Groundwork
import RetryReport

/// Decides when each retry may start, from measurements of the load and the time.
///
/// Most flaky tests time out because the machine is busy, and would time out again if they were retried at once. So retries wait
/// until it is quiet, all together no longer than ``longestWait`` and each no longer than its caller says, and take turns, in the
/// order in which they flaked, so that they do not disturb each other. While the process's own tests compute, waiting costs the run
/// nothing, so ``longestComputing`` of it counts as ``longestWait``. It does count, because a thread or a task that a test left
/// behind may compute for ever.
package struct QuietWait: Sendable {
    /// The ticket of a retry that waits, or runs in its turn.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
        fileprivate let start: Double
        /// No test is running: what still computes was left behind, perhaps for ever.
        fileprivate let isOfRound: Bool
        fileprivate var deadline: Double
        fileprivate var quietCount = 0
        /// The cause of the load, from the last busy measurement.
        fileprivate var cause: String?
    }

    /// The longest time, in seconds, that all retries may wait together: with measuring and reporting, a run is at most 10 s longer.
    private static let longestWait = 9.0
    /// The longest time for which they may wait while the process's own tests compute.
    private static let longestComputing = 900.0

    let processors: Int
    /// The seconds that the retries of this process may still wait.
    private var left = longestWait
    /// `true` after a busy measurement. From then on, a retry needs three quiet ones in a row.
    private var hasBeenBusy = false
    private var ownTestsCompute = false
    private var hasTold = false
    private var tickets: [Int] = []
    private var countedUntil = 0.0

    init(processors: Int = ProcessInfo.processInfo.activeProcessorCount) {
        self.processors = processors
    }

    mutating func enter(
        at now: Double = systemUptime,
        waitingAtMost seconds: Double = .infinity,
        ofRound: Bool = false
    ) -> Ticket {
        let number = (tickets.last ?? 0) + 1
        tickets.append(number)
        return Ticket(number: number, start: now, isOfRound: ofRound, deadline: now + seconds)
    }

    mutating func leave(_ ticket: Ticket) { tickets.removeAll { $0 == ticket.number } }

    func hasTurn(_ ticket: Ticket) -> Bool { isAmong(first: turns, ticket) }

    /// The number of retries that may run at once.
    private var turns: Int { max(1, processors / 2) }

    private func isAmong(first count: Int, _ ticket: Ticket) -> Bool { tickets.prefix(count).contains(ticket.number) }

    /// How long a retry may sleep before it looks for its turn. If thousands wait, and each looked at once, looking would keep the
    /// machine busy.
    func secondsToTurn(of ticket: Ticket, at now: Double = systemUptime) -> Double {
        if hasTurn(ticket) { return 0 }
        let place = ticket.number - (tickets.dropFirst(turns).first ?? ticket.number) + 1
        let most = min(0.002 * Double(tickets.count), left, ticket.deadline - now)
        return min(max(0.5, most), 0.02 * Double(place))
    }

    /// The sleep before a retry measures the load; `nil` if it does not. One in its turn does, and the next one if the last
    /// measurement is old: while a long retry runs, nobody else would see that the tests no longer compute.
    func sleepBeforeLook(of ticket: Ticket, hasRecent: Bool) -> Double? {
        guard isAmong(first: turns + (hasRecent ? 0 : 1), ticket) else { return nil }
        // As long as the tests compute, which may be minutes, each measurement takes time from them.
        return ownTestsCompute ? 0.1 : MachineLoad.longSleep
    }

    /// Accounts for a measurement or, while the retry waits for its turn, for the time alone.
    ///
    /// - Returns: `true` if the retry may start now.
    mutating func note(_ load: MachineLoad?, for ticket: inout Ticket, at now: Double = systemUptime) -> Bool {
        let passed = max(0, now - max(countedUntil, ticket.start))
        left -= ownTestsCompute ? passed * Self.longestWait / Self.longestComputing : passed
        countedUntil = max(countedUntil, now)
        if var load {
            if ticket.isOfRound { load.own = 0 }
            // Competing processes take processor time from the tests, so this is scaled up to what they could use.
            ownTestsCompute = load.own * load.slowdown >= Double(processors) / 2
            let cause = load.cause(processors: processors)
            // Before its turn, it measures seldom, and beside another retry.
            ticket.quietCount = cause == nil && hasTurn(ticket) ? ticket.quietCount + 1 : 0
            ticket.cause = cause ?? ticket.cause
            hasBeenBusy = hasBeenBusy || cause != nil
        }
        let isQuiet = hasTurn(ticket) && ticket.quietCount >= (hasBeenBusy ? 3 : 1)
        guard isQuiet || left <= 0 || now >= ticket.deadline else { return false }
        ownTestsCompute = false  // unknown until the next measurement
        return true
    }

    /// Whether to say, once, that a retry still waits because the tests of its process compute.
    mutating func tells(of ticket: Ticket, at now: Double = systemUptime) -> Bool {
        ownTestsCompute && now - ticket.start > 10 && !exchange(&hasTold, with: true)
    }

    // MARK: - Waiting

    private static let shared = Locked(QuietWait())
    private static var systemUptime: Double { ProcessInfo.processInfo.systemUptime }

    /// Waits before a round of retries.
    package static func beforeRound() {
        var ticket = shared.withLock { $0.enter(ofRound: true) }
        func goes(after load: MachineLoad) -> Bool { shared.withLock { $0.note(load, for: &ticket) } }
        if !goes(after: .recent ?? .now()) {
            // With `--parallel`, each flaky test has a process of its own, but the limit is for all of them together.
            ticket.deadline = systemUptime + longestWait - ProcessContext.shared.report.secondsWaitedElsewhere
            while !goes(after: .now(after: MachineLoad.longSleep)) {}
        }
        logWait(ticket, "the next round of retries")
        end(ticket)
    }

    /// Waits for the retry's turn and for a quiet machine, or until the task is cancelled.
    ///
    /// - Returns: The retry's ticket, which the caller ends when the retry has run.
    package static func beforeRetry(of test: String, after first: MachineLoad, atMost seconds: Double) async -> Ticket {
        var ticket = shared.withLock { $0.enter(waitingAtMost: seconds) }
        var load: MachineLoad? = first
        while !shared.withLock({ $0.note(load, for: &ticket) }), !Task.isCancelled {
            if shared.withLock({ [ticket] in $0.tells(of: ticket) }) {
                let most = "\(Int(longestComputing / 60)) min at most; RETRYABLE_RETRY_DELAY=0 does not wait"
                logWait(ticket, "the retry of \(test)", ", and waits on, \(most)")
            }
            let seconds = shared.withLock { [ticket] in $0.secondsToTurn(of: ticket) }
            // Both throw only if the task is cancelled.
            if seconds > 0 { try? await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000)) }
            let sleep = shared.withLock { [ticket] in
                $0.sleepBeforeLook(of: ticket, hasRecent: MachineLoad.recent != nil)
            }
            load = if let sleep { try? await .nowInTask(after: sleep) } else { nil }
        }
        logWait(ticket, "the retry of \(test)")
        return ticket
    }

    package static func end(_ ticket: Ticket) { shared.withLock { $0.leave(ticket) } }

    private static func logWait(_ ticket: Ticket, _ retry: String, _ rest: String = "") {
        let seconds = systemUptime - ticket.start
        if seconds > 1 {
            log("\(retry) waited \((seconds * 10).rounded() / 10) s\(ticket.cause.map { ", \($0)" } ?? "")\(rest)")
        }
    }
}
