import Foundation
import Groundwork
import RetryReport
import TestSupport
import Testing

@testable import RetryCore

/// When a retry goes, decided without a clock.
@Suite("A retry in quiet")
struct QuietTests {
    private let quiet = MachineLoad(late: 0, own: 0.1, slowdown: 1)
    private let othersBusy = MachineLoad(late: 0, own: 0, slowdown: 2)
    private let ownBusy = MachineLoad(late: 0.3, own: 1.9, slowdown: 1)
    private let ownBesideOthers = MachineLoad(late: 0.3, own: 0.6, slowdown: 3)
    private let poolFull = MachineLoad(late: 0.5, own: 0, slowdown: 1)

    /// The number of looks after which a retry goes.
    private func looks(
        _ load: (Int) -> MachineLoad,
        in wait: inout QuietWait,
        every interval: Double = 0.02,
        atMost seconds: Double = .infinity
    ) -> Int {
        var ticket = wait.enter(at: 0, waitingAtMost: seconds)
        defer { wait.leave(ticket) }
        var count = 0
        while !wait.note(load(count), for: &ticket, at: Double(count) * interval) { count += 1 }
        return count
    }

    @Test("a retry goes at once on a quiet machine")
    func atOnce() {
        var wait = QuietWait(processors: 2)
        #expect(looks({ _ in quiet }, in: &wait) == 0)
        #expect(looks({ _ in quiet }, in: &wait) == 0)
    }

    @Test("once a look was not quiet, this retry and all later ones go after three quiet looks in a row")
    func afterAWhile() {
        var wait = QuietWait(processors: 2)
        #expect(looks({ [5, 6, 8, 9, 10].contains($0) ? quiet : $0 < 8 ? othersBusy : quiet }, in: &wait) == 10)
        #expect(looks({ _ in quiet }, in: &wait) == 2)
    }

    @Test("all retries together wait ten seconds at most")
    func never() {
        for load in [othersBusy, poolFull] {
            var wait = QuietWait(processors: 2)
            #expect((450...452).contains(looks({ _ in load }, in: &wait)))
            #expect(looks({ _ in load }, in: &wait) == 0)
        }
    }

    @Test("a retry does not count the time in which the process's own tests compute")
    func ownTests() {
        for load in [ownBusy, ownBesideOthers] {
            var wait = QuietWait(processors: 2)
            #expect(looks({ $0 < 250 ? load : quiet }, in: &wait, every: 1) == 252)
        }
    }

    @Test("a retry goes after its process has computed for 15 minutes, because a test may have left a thread behind")
    func leftThread() {
        var wait = QuietWait(processors: 2)
        #expect((899...902).contains(looks({ _ in ownBusy }, in: &wait, every: 1)))
        #expect(looks({ _ in ownBusy }, in: &wait) == 0)
    }

    @Test("a retry goes after ten seconds, though another runs in its turn and the tests have computed before")
    func longTurn() {
        var wait = QuietWait(processors: 2)
        var (first, second) = (wait.enter(at: 0), wait.enter(at: 1))
        let third = wait.enter(at: 1)
        #expect(wait.note(quiet, for: &first, at: 0))
        #expect(!wait.note(ownBusy, for: &second, at: 1))
        let measures = [first, second, third].map { ticket in
            [true, false].map { wait.sleepBeforeLook(of: ticket, hasRecent: $0) != nil }
        }
        #expect(measures == [[true, true], [false, true], [false, false]])
        var now = 1.0
        repeat { now += 1 } while !wait.note(quiet, for: &second, at: now)
        #expect(now == 11)
    }

    @Test("what a retry measures before its turn does not make it start in its turn")
    func turn() {
        var wait = QuietWait(processors: 2)
        var (first, second) = (wait.enter(at: 0), wait.enter(at: 1))
        #expect(wait.note(quiet, for: &first, at: 0))
        for load in [ownBusy, quiet, quiet, quiet] { #expect(!wait.note(load, for: &second, at: 1)) }
        wait.leave(first)
        #expect(!wait.note(nil, for: &second, at: 1))
        let goes = (1...3).map { _ in wait.note(quiet, for: &second, at: 1) }
        #expect(goes == [false, false, true])
    }

    @Test("that a retry waits on for its process is said once, after ten seconds")
    func told() {
        var wait = QuietWait(processors: 2)
        var first = wait.enter(at: 0)
        let second = wait.enter(at: 4)
        var told: [Bool] = []
        for (load, ticket, now) in [
            (othersBusy, first, 13.0), (ownBusy, first, 9), (ownBusy, second, 13), (ownBusy, first, 13),
            (ownBusy, first, 14),
            (ownBusy, second, 15),
        ] {
            _ = wait.note(load, for: &first, at: 1)
            told.append(wait.tells(of: ticket, at: now))
        }
        #expect(told == [false, false, false, true, false, false])
    }

    @Test("a retry that goes at its deadline leaves the waiting of others counted")
    func deadline() {
        var wait = QuietWait(processors: 2)
        var first = wait.enter(at: 0, waitingAtMost: 1)
        var second = wait.enter(at: 0)
        #expect(wait.note(ownBusy, for: &first, at: 1))
        #expect(!wait.note(nil, for: &second, at: 8.5))
        #expect(wait.note(nil, for: &second, at: 12))
    }

    @Test("a retry waits no longer than the test allows")
    func bound() {
        var wait = QuietWait(processors: 2)
        #expect((250...251).contains(looks({ _ in ownBusy }, in: &wait, atMost: 5)))
    }

    @Test(
        "a retry goes in turn, as many at a time as half of the processors",
        arguments: [(1, 1), (2, 1), (3, 1), (8, 4)]
    )
    func turns(processors: Int, atATime: Int) {
        var wait = QuietWait(processors: processors)
        var tickets = (0..<6).map { _ in wait.enter(at: 0) }
        func going() -> [Int] { tickets.indices.filter { wait.hasTurn(tickets[$0]) } }
        #expect(going() == Array(0..<atATime))
        for index in tickets.indices {
            #expect(wait.note(index < atATime ? quiet : nil, for: &tickets[index], at: 0.1) == (index < atATime))
        }
        wait.leave(tickets[0])
        #expect(going() == Array(1...atATime))
    }

    @Test("retries that wait for their turn look for it seldom, so that looking keeps no processor busy")
    func manyWait() {
        for (count, most) in [(100, 0.5), (1000, 2), (10_000, 20)] {
            var wait = QuietWait(processors: 2)
            let tickets = (0..<count).map { _ in wait.enter(at: 0) }
            let seconds = tickets.map { wait.secondsToTurn(of: $0, at: 0) }
            #expect(seconds[..<3] == [0, 0.02, 0.04])
            #expect(seconds.max() == min(most, 9), "not much longer than all may wait")
            let limited = wait.enter(at: 0, waitingAtMost: 1)
            #expect(wait.secondsToTurn(of: limited, at: 0) == min(most, 1), "nor than it may wait itself")
            // The first one is long, and others have gone.
            tickets[1..<50].forEach { wait.leave($0) }
            #expect(wait.secondsToTurn(of: tickets[51], at: 0) == 0.04)
            #expect(seconds.dropFirst().reduce(0) { $0 + 1 / $1 } < 1500, "looks in a second")
        }
    }

    @Test("a retry does not wait for ever for its turn")
    func twoThatWaitForEachOther() {
        var wait = QuietWait(processors: 2)
        var first = wait.enter(at: 0)
        var second = wait.enter(at: 0)
        #expect(wait.note(quiet, for: &first, at: 0.1))
        #expect(!wait.note(nil, for: &second, at: 8.9))
        #expect(wait.note(nil, for: &second, at: 9.1))
    }

    @Test("a round does not wait for threads that a test left computing, as a retry among running tests does")
    func leftComputing() {
        var wait = QuietWait(processors: 2)
        let busy = MachineLoad(late: 0, own: 1.9, slowdown: 1)
        var (round, retry) = (wait.enter(at: 0, ofRound: true), wait.enter(at: 0))
        #expect(wait.note(busy, for: &round, at: 0))
        wait.leave(round)
        #expect(!wait.note(busy, for: &retry, at: 0))
    }

    @Test("a look says what kept the machine busy")
    func causes() {
        #expect(quiet.cause(processors: 2) == nil)
        #expect(ownBusy.cause(processors: 2) == "while the tests of its process used 1.9 of 2 processors")
        #expect(ownBusy.cause() == "while the tests of its process used 1.9 processors")
        #expect(othersBusy.cause(processors: 2) == "while others used the machine")
        #expect(poolFull.cause(processors: 2) == "while its sleeps ended late")
    }

    @Test(
        "a look knows the threads that want to run",
        arguments: [("0.74 2.18 4.42 3/79 21077\n", 1.5), ("0.00 0.01 0.05 1/2 7", 0.5), ("?", 0), (nil, 0)]
    )
    func demand(averages: String?, perProcessor: Double) {
        #expect(MachineLoad.demand(in: averages, processors: 2) == perProcessor)
    }

    #if os(Linux)
        @Test("a look counts threads that run on other processors only", .enabled(if: Self.processors > 1))
        func elsewhere() async {
            let hasLooked = Locked(false)
            for _ in 0..<2 * Self.processors {
                Thread.detachNewThread {
                    stayOnOneProcessor(0)
                    while !hasLooked.withLock({ $0 }) {
                        let end = ProcessInfo.processInfo.systemUptime + 0.001
                        while ProcessInfo.processInfo.systemUptime < end {}
                    }
                }
            }
            let look = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    stayOnOneProcessor(1)
                    continuation.resume(returning: MachineLoad.now())
                    hasLooked.withLock { $0 = true }
                }
            }
            #expect(look.slowdown >= 2)
        }

        private static let processors = ProcessInfo.processInfo.processorCount
    #endif

    @Test("a retry measures seldom while the tests of its process compute")
    func seldom() {
        var wait = QuietWait(processors: 2)
        var ticket = wait.enter(at: 0)
        var sleep: Double? { wait.sleepBeforeLook(of: ticket, hasRecent: true) }
        #expect(sleep == MachineLoad.longSleep)
        #expect(!wait.note(ownBusy, for: &ticket, at: 1))
        #expect(sleep == 0.1)
        #expect(!wait.note(othersBusy, for: &ticket, at: 2))
        #expect(sleep == MachineLoad.longSleep)
    }

    @Test("of tests that flake at once, one looks at the machine for all")
    func together() async throws {
        for _ in 0..<3 {
            // Another test may have just looked, or do so now, and then one round shows nothing.
            while MachineLoad.recent != nil { try await Task.sleep(for: .milliseconds(20)) }
            let start = ContinuousClock.now
            let looks = try await withThrowingTaskGroup(of: MachineLoad.self) { group in
                for _ in 0..<20 { group.addTask { try await MachineLoad.look() } }
                return try await group.reduce(into: Set<Double>()) { $0.insert($1.slowdown) }
            }
            // On a busy machine, one is too old for those that look 0.2 s later.
            #expect(looks.count < 4 + Int((ContinuousClock.now - start) / .seconds(0.2)))
        }
    }

    @Test("a look tells an idle sleep from a computation")
    func look() async throws {
        let look = MachineLoad.now()
        #expect(look.slowdown >= 1 - 0.1)
        #expect(look.late >= 0 && look.own >= 0)
        #expect(try await MachineLoad.nowInTask().slowdown >= 0.9)
    }
}
