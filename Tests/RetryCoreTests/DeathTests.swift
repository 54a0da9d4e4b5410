import Groundwork
import RetryReport
import Testing

@testable import RetryCore

/// What a death becomes, as a table.
@Suite("Death")
struct DeathTests {
    @Test(
        "a death says how the process ended",
        arguments: [
            (Death.ended(.signal(4)), "crashed with signal 4 (SIGILL)"),
            (.ended(.signal(9)), "crashed with signal 9 (SIGKILL)"),
            (.ended(ProcessEnding(status: 139)), "crashed with signal 11 (SIGSEGV)"),  // with a core dump
            (.ended(.signal(50)), "crashed with signal 50"), (.ended(.exitCode(0)), "called exit(0)"),
            (.ended(ProcessEnding(status: 3 << 8)), "called exit(3)"), (.ended(.exitCode(255)), "called exit(255)"),
            (.hang(seconds: 60), "hung for 60 s"), (.hang(seconds: 0.5), "hung for 0.5 s"),
        ]
    )
    func words(death: Death, words: String) {
        #expect("\(death)" == words)
    }

    @Test(
        "a death in a section is a flake, unless what a sanitizer found may have died with the process",
        arguments: [
            (ProcessEnding.signal(6), false, true), (.exitCode(0), false, true), (.exitCode(1), false, true),
            (.signal(6), true, false), (.exitCode(0), true, false), (.exitCode(66), true, false),
        ]
    )
    func verdict(ending: ProcessEnding, isSanitized: Bool, isFlake: Bool) {
        let section = Section(mark: .fixable(reason: "a race"), site: .xctest(#filePath, 1))
        let verdict = Attempt(retryCount: 0).judge(Death.ended(ending), in: [section], isSanitized: isSanitized)
        #expect(verdict == (isFlake ? .flake(section) : .real()))
    }

    @Test("a death that was judged in a process that died, too, is one failure")
    func judgedTwice() {
        let section = Section(mark: .fixable(reason: "a race"), site: .xctest(#filePath, 1))
        let death = Death.ended(.signal(6))
        let flake = Flake(section: section, failure: Failure(unplaced: "\(death)"))
        let attempt = Attempt(retryCount: 0)
        #expect(attempt.judge(death, in: [], after: flake) == .flake(section))
        #expect(attempt.record.failures.count == 1 && attempt.needsRetry)
    }

    @Test("the sections that a process was in when it died have their marks whole")
    func sections() throws {
        let marks: [Flakiness] = [
            .fixable(reason: "a race", matching: "late", until: "2027-01-31"),
            .notFixable(reason: "a sandbox", maxRetryCount: 3),
        ]
        let sections = marks.map { Section(mark: $0, site: .xctest(#filePath, 1)) }
        let shared = try SharedLines()
        shared.write(sections)
        #expect(shared.sections == sections)
    }

    @Test(
        "a mark that says what it may hold has no other death",
        arguments: [("SIGSEGV", false), ("SIGILL", true), ("hung", false)]
    )
    func matching(text: String, isFlake: Bool) {
        let section = Section(mark: .fixable(reason: "a race", matching: text), site: .xctest(#filePath, 1))
        let verdict = Attempt(retryCount: 0).judge(Death.ended(.signal(4)), in: [section])
        #expect(verdict == (isFlake ? .flake(section) : .real()))
    }

    @Test("only a section with retries for it can hold a death, also if they are used up")
    func canHold() {
        var entry = AttemptSlots.Entry(test: "A", testCase: nil, retryCount: 2)
        func canHold(_ mark: Flakiness...) -> Bool {
            entry.sections = mark.map { Section(mark: $0, site: .xctest(#filePath, 1)) }
            return entry.canHold(.ended(.signal(9)))
        }
        func matching(_ text: String) -> Flakiness { .notFixable(reason: "a race", maxRetryCount: 2, matching: text) }
        #expect(!canHold() && !canHold(.notFixable(reason: "a race", maxRetryCount: 0)))
        #expect(canHold(.fixable(reason: "a race")) && canHold(matching("SIGKILL")))
        #expect(!canHold(matching("timed out")) && canHold(matching("timed out"), matching("SIGKILL")))
    }

    @Test("of two crashes, the first whose test is known counts, but a signal before an exit")
    func twoCrashes() throws {
        let slots = try AttemptSlots(.unnamed())
        func note(_ signal: Int32, _ slot: Int?) -> Int32 {
            slots.crash = AttemptSlots.Crash(signal: signal, slot: slot)
            return Int32(slots.crash?.signal ?? 0)
        }
        #expect([note(0, 1), note(0, 2)] == [0, 0])
        #expect(slots.crash?.slot == 1)
        #expect([note(4, nil), note(0, 3), note(11, nil), note(6, 4), note(4, 5)] == [4, 4, 11, 6, 6])
        #expect(slots.crash?.slot == 4)
    }

    @Test("a crash that takes too long is killed, and so is a test that survives one", .enabled(if: !isSanitized))
    func killed() {
        func isCause(_ signal: Int32, _ ending: ProcessEnding) -> Bool {
            AttemptSlots.Crash(signal: signal, slot: nil).mayHaveCaused(.ended(ending))
        }
        let sent = SIGABRT | AttemptSlots.Crash.sent
        #expect(
            isCause(SIGSEGV, .signal(SIGSEGV)) && isCause(SIGSEGV, .signal(SIGKILL)) && isCause(sent, .signal(SIGABRT))
        )
        #expect(!isCause(sent, .signal(SIGKILL)) && !isCause(SIGSEGV, .exitCode(1)))
    }

    @Test("a crash in a test without attempts is told by the place of the test and the name of its file")
    func place() {
        let crash = AttemptSlots.Crash(signal: 4, file: "ShopTests/Cart.swift", line: 12, column: 6)
        #expect(crash.isIn("ShopTests.CartTests/fills()/Cart.swift:12:6"))
        for other in ["Basket.swift:12:6", "Cart.swift:112:6", "Cart.swift:12:16", "Cart.swift:12:7"] {
            #expect(!crash.isIn("ShopTests.CartTests/fills()/\(other)"))
        }
        #expect(crash.slot == nil && !crash.isOfSuite)
        #expect(AttemptSlots.Crash(signal: 4, slot: 7).slot == 7)
    }
}
