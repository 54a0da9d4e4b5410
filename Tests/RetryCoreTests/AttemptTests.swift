import RetryReport
import Testing

@testable import RetryCore

@Suite("The sections that an attempt has entered")
struct EnteredSectionTests {
    @Test("are each counted once, however often, and told apart by line and mark")
    func once() {
        let attempt = Attempt(retryCount: 0)
        for _ in 0..<3 {
            attempt.enter("outer", line: 1) { attempt.enter("inner", line: 2) {} }
            attempt.enter("another reason", line: 2) {}
        }
        #expect(attempt.reasons { _ in true } == ["another reason", "inner", "outer"])
        #expect(Attempt(retryCount: 0).end().isEmpty)
    }

    @Test("know which of them flaked, and which failed with no retry left")
    func verdicts() {
        let first = Attempt(retryCount: 0)
        first.enter("flakes", line: 1) { first.fail() }
        first.enter("flakes, too", line: 2) { first.fail() }
        first.enter("passes", line: 3) {}
        #expect(first.reasons(where: \.hasFlaked) == ["flakes", "flakes, too"])

        let second = Attempt(retryCount: 1)
        second.enter("fails", line: 1) { second.fail() }
        second.enter("comes too late", line: 2) { second.fail() }
        #expect(second.reasons(where: \.hasFailed) == ["fails"])
        #expect(second.reasons(where: \.hasFlaked) == [])
    }

    @Test("do not answer for a failure that the mark does not hold")
    func matching() {
        for retryCount in 0...1 {
            let attempt = Attempt(retryCount: retryCount)
            attempt.enter("late", matching: "timed out", line: 1) { attempt.fail() }
            #expect(attempt.reasons { $0.hasFlaked || $0.hasFailed } == [])
        }
    }

    @Test("flake also where the run's settings do not allow it")
    func refused() {
        let attempt = Attempt(retryCount: 0, run: ProcessRun(environment: ["RETRYABLE_MODE": "strict"]))
        attempt.enter("strict", line: 1) { attempt.fail() }
        #expect(attempt.reasons(where: \.hasFlaked) == ["strict"])
    }

    @Test("do not answer for a failure outside of them, or for one that only follows")
    func others() {
        let attempt = Attempt(retryCount: 0)
        attempt.enter("flakes", line: 1) { attempt.fail(stopsAtFailure: true) }
        attempt.enter("should not have been reached", line: 2) { attempt.fail(stopsAtFailure: true) }
        attempt.fail()
        #expect(attempt.reasons(where: \.hasFlaked) == ["flakes"])
    }
}

extension Attempt {
    fileprivate func enter(_ reason: String, matching: String? = nil, line: UInt, _ body: () -> Void) {
        run(.fixable(reason: reason, matching: matching), at: .xctest(#filePath, line), body)
    }

    fileprivate func fail(stopsAtFailure: Bool = false) {
        let failure = Failure(message: "too early", file: nil, line: nil, kind: .assertion)
        _ = judge(failure, in: sectionsHere(), stopsAtFailure: stopsAtFailure)
    }

    /// The reasons of the sections that were entered and have this result.
    fileprivate func reasons(where isWanted: (SectionResult) -> Bool) -> [String] {
        end().filter { isWanted($0.value) }.map(\.key.mark.reason).sorted()
    }
}

@Suite("A framework that asks about a failure")
struct AskedAboutFailureTests {
    private let failure = Failure(message: "too early", file: nil, line: nil, kind: .assertion)

    @Test("gets the same answer each time, and the failure is noted once")
    func twice() {
        let attempt = Attempt(retryCount: 0)
        let section = attempt.open(.fixable(reason: "a race"), at: .testing("a.swift", 1))
        #expect(attempt.holds(failure, in: section))
        #expect(attempt.holds(failure, in: section))
        #expect(attempt.failures.count == 1)
    }

    @Test("is refused once the section, or the attempt, has ended")
    func late() {
        let attempt = Attempt(retryCount: 0)
        let closed = attempt.open(.fixable(reason: "a race"), at: .testing("a.swift", 1))
        let open = attempt.open(.fixable(reason: "another"), at: .testing("a.swift", 2))
        attempt.close(closed)
        #expect(!attempt.holds(failure, in: closed))
        _ = attempt.end()
        #expect(!attempt.holds(failure, in: open))
        #expect(attempt.flake == nil)
    }

    @Test("is refused after a real failure, and where the settings allow no flake, which is noted once")
    func refused() {
        let attempt = Attempt(retryCount: 0, run: ProcessRun(environment: ["RETRYABLE_MODE": "strict"]))
        let section = attempt.open(.fixable(reason: "a race"), at: .testing("a.swift", 1))
        #expect(!attempt.holds(failure, in: section))
        attempt.noteReal(failure)
        #expect(attempt.failures.count == 1)
        #expect(!attempt.holds(failure, in: section))
        #expect(attempt.hasFailed)
    }
}
