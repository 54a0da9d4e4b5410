import RetryReport
import Testing

@testable import RetryCore

/// What a failure becomes, as a table: the facts, and the verdict.
@Suite("Verdict")
struct VerdictTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var verdict: Verdict
        var context = FailureContext(
            failure: Failure(unplaced: ""),
            sections: [],
            retryCount: 0,
            outcome: .passed,
            phase: .method,
            canRunAgain: true,
            isExplained: false,
            settings: RunSettings(),
            otherFlakes: 0
        )

        init(_ description: String, _ verdict: Verdict, _ change: (inout FailureContext) -> Void) {
            testDescription = description
            self.verdict = verdict
            change(&context)
        }
    }

    /// A section that allows one retry; one that allows three; one that allows none.
    private static let (once, thrice, never) = (section(1), section(3), section(0))
    /// A section that allows a retry of failures which say `timed out`.
    private static let timedOut = section(1, matching: "timed out")

    private static func section(_ retries: Int, matching: String? = nil, line: UInt = 1) -> Section {
        let mark = Flakiness.notFixable(reason: "a race", maxRetryCount: retries, matching: matching)
        return Section(mark: mark, site: .xctest(#filePath, line))
    }

    private static func settings(_ name: String, _ value: String) -> RunSettings {
        RunSettings(environment: [name: value])
    }

    private static let strict = settings("RETRYABLE_MODE", "strict")
    private static let twoFlakes = settings("RETRYABLE_MAX_FLAKES", "2")

    static let sections = [
        Row("outside every section", .real()) { _ in },
        Row("inside a section with a retry left", .flake(once)) { $0.sections = [once] },
        Row("inside one whose mark allows none", .real()) { $0.sections = [never] },
        Row("inside two with retries left", .flake(once)) { $0.sections = [once, thrice] },
        Row("inside two, the inner used up", .flake(thrice)) { ($0.sections, $0.retryCount) = ([once, thrice], 1) },
        Row("on the attempt before the last", .flake(thrice)) { ($0.sections, $0.retryCount) = ([thrice], 2) },
        Row("on the last attempt", .real(usedUp: thrice)) { ($0.sections, $0.retryCount) = ([thrice], 3) },
        Row("inside two used up, the outer allowed more", .real(usedUp: thrice)) {
            ($0.sections, $0.retryCount) = ([once, thrice, section(2)], 3)
        },
        Row("inside two used up that allowed as much", .real(usedUp: once)) {
            ($0.sections, $0.retryCount) = ([never, once, section(1, line: 2)], 1)
        },
        Row("with the text that the mark asks for", .flake(timedOut)) {
            ($0.sections, $0.failure.message) = ([timedOut], "it timed out")
        },
        Row("with the text in the framework's own message alone", .flake(timedOut)) {
            ($0.sections, $0.failure.message, $0.failure.frameworkMessage) = ([timedOut], "late", "it timed out")
        },
        Row("with another text", .real()) { ($0.sections, $0.failure.message) = ([timedOut], "it broke") },
        Row("with another text than the inner mark asks for", .flake(thrice)) {
            ($0.sections, $0.failure.message) = ([timedOut, thrice], "it broke")
        },
        Row("with another text, on the last attempt", .real()) {
            ($0.sections, $0.failure.message, $0.retryCount) = ([timedOut], "it broke", 1)
        },
        Row("on a test that nothing runs again", .real()) { ($0.sections, $0.canRunAgain) = ([once], false) },
    ]

    static let attempts = [
        Row("after a real failure", .real()) { ($0.sections, $0.outcome) = ([once], .failed) },
        Row("after a skip that failed the test", .real()) { ($0.sections, $0.outcome) = ([once], .skipped) },
        Row("after a real failure, on the last attempt", .real()) {
            ($0.sections, $0.retryCount, $0.outcome) = ([once], 1, .failed)
        },
        Row("after the attempt's end", .real()) { ($0.sections, $0.phase) = ([once], .ended) },
        Row("after the end of the last attempt", .real()) {
            ($0.sections, $0.retryCount, $0.phase) = ([once], 1, .ended)
        },
        Row("a second flake of an attempt", .flake(once)) { ($0.sections, $0.outcome) = ([once], .flaked) },
        Row("outside, after a flake, where the test goes on", .real()) { $0.outcome = .flaked },
        Row("outside, after a flake, where the test should have stopped", .aftermath) {
            ($0.outcome, $0.phase) = (.flaked, .stopped)
        },
        Row("inside, after a flake, where the test should have stopped", .aftermath) {
            ($0.sections, $0.outcome, $0.phase) = ([once], .flaked, .stopped)
        },
        Row("in tearDown, after a flake that stopped the test", .real()) {
            ($0.outcome, $0.phase) = (.flaked, .tearDown)
        },
        Row("explained by the error that flaked", .aftermath) { ($0.outcome, $0.isExplained) = (.flaked, true) },
        Row("explained by an error, but nothing flaked", .real()) { $0.isExplained = true },
        Row("after a real failure, where the test should have stopped", .real()) {
            ($0.outcome, $0.phase) = (.failed, .stopped)
        },
    ]

    static let refusals = [
        Row("strict", .refused(once, .strict)) { ($0.sections, $0.settings) = ([once], strict) },
        Row("strict, outside", .real()) { $0.settings = strict },
        Row("strict, in a section that is used up", .real(usedUp: once)) {
            ($0.sections, $0.settings, $0.retryCount) = ([once], strict, 1)
        },
        Row("the last flake that the limit allows", .flake(once)) {
            ($0.sections, $0.settings, $0.otherFlakes) = ([once], twoFlakes, 1)
        },
        Row("beyond the limit of flakes", .refused(once, .limit(2))) {
            ($0.sections, $0.settings, $0.otherFlakes) = ([once], twoFlakes, 2)
        },
        Row("beyond the limit, outside", .real()) { ($0.settings, $0.otherFlakes) = (twoFlakes, 2) },
        Row("beyond the limit, explained by the error that flaked", .aftermath) {
            ($0.outcome, $0.isExplained, $0.settings, $0.otherFlakes) = (.flaked, true, twoFlakes, 2)
        },
    ]

    @Test("a failure becomes what the rules say", arguments: sections + attempts + refusals)
    func verdict(row: Row) {
        #expect(row.context.verdict == row.verdict)
    }

    @Test("judging, predicting, suppressing and the death of a process come to the same verdict", arguments: sections)
    func oneDecision(row: Row) {
        let sections = row.context.sections
        let failure = row.context.failure
        let (retryCount, canRunAgain) = (row.context.retryCount, row.context.canRunAgain)
        func attempt() -> Attempt {
            Attempt(retryCount: retryCount, canRunAgain: canRunAgain, process: ProcessContext(environment: [:]))
        }
        #expect(attempt().judge(failure, in: sections) == row.verdict)
        #expect(attempt().predict(failure, in: sections) == row.verdict)
        let holder: Section? = if case .flake(let section) = row.verdict { section } else { nil }
        #expect(attempt().holder(of: failure, in: sections[...]) == holder)
        if failure.message.isEmpty {
            #expect(attempt().judge(Death.ended(.signal(4)), in: sections) == row.verdict)
        }
    }

    @Test("an attempt whose flake was predicted has its place under the limit, which no other attempt takes")
    func places() {
        let process = ProcessContext(environment: ["RETRYABLE_MAX_FLAKES": "1"])
        let (first, second) = (Attempt(retryCount: 0, process: process), Attempt(retryCount: 0, process: process))
        let failure = Failure(unplaced: "too early")
        #expect(first.predict(failure, in: [Self.once]) == .flake(Self.once))
        let refusal = second.judge(failure, in: [Self.once])
        #expect(refusal == .refused(Self.once, .limit(1)))
        #expect(refusal.explanation == " (in a flaky section, but not retried: RETRYABLE_MAX_FLAKES=1 is reached)")
        #expect(first.judge(failure, in: [Self.once]) == .flake(Self.once))
        #expect(first.judge(failure, in: [Self.once]) == .flake(Self.once))
    }

    @Test("an attempt that was predicted to flake and did not gives its place back when it ends")
    func release() {
        let process = ProcessContext(environment: ["RETRYABLE_MAX_FLAKES": "1"])
        let failure = Failure(unplaced: "too early")
        let expected = Attempt(retryCount: 0, process: process)
        #expect(expected.predict(failure, in: [Self.once]) == .flake(Self.once))
        _ = expected.end()
        #expect(Attempt(retryCount: 0, process: process).judge(failure, in: [Self.once]) == .flake(Self.once))
    }

    @Test("a section that leaves a failure to the one around it takes no place for it under the limit")
    func otherSection() {
        let process = ProcessContext(environment: ["RETRYABLE_MAX_FLAKES": "1"])
        let (failure, inner) = (Failure(unplaced: "too early"), Self.timedOut)
        let attempt = Attempt(retryCount: 0, process: process)
        attempt.runSection(Self.once.mark, at: Self.once.site) {
            attempt.runSection(inner.mark, at: inner.site) {
                #expect(OpenSection.innermost.map { attempt.suppress(failure, in: $0) } == false)
            }
        }
        #expect(Attempt(retryCount: 0, process: process).judge(failure, in: [Self.once]) == .flake(Self.once))
    }

    @Test("of a thousand attempts at the same moment, as many flake as the limit allows")
    func limit() async {
        let process = ProcessContext(environment: ["RETRYABLE_MAX_FLAKES": "10"])
        let flakes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    let attempt = Attempt(retryCount: 0, process: process)
                    let failure = Failure(unplaced: "too early")
                    let prediction = attempt.predict(failure, in: [Self.once])
                    #expect(attempt.judge(failure, in: [Self.once]) == prediction)
                    return attempt.needsRetry
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(flakes == 10)
    }
}

extension Attempt {
    /// Enters these sections, and asks them for one that holds the failure, both from the innermost, which is the first.
    fileprivate func holder(of failure: Failure, in sections: ArraySlice<Section>) -> Section? {
        guard let outermost = sections.last else { return nil }
        return runSection(outermost.mark, at: outermost.site) {
            holder(of: failure, in: sections.dropLast())
                ?? OpenSection.innermost.flatMap { suppress(failure, in: $0) ? $0.section : nil }
        }
    }
}
