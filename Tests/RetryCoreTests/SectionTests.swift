import Foundation
import RetryReport
import Testing

@testable import RetryCore

/// Rules 3 to 5: the sections that a failure is inside of, and that an error has left.
@Suite("Sections")
struct SectionTests {
    private let attempt = Attempt(retryCount: 0)

    @Test("a task that an earlier attempt left behind is in none of this attempt's sections")
    func leftBehind() async {
        let (turns, turn) = AsyncStream.makeStream(of: Void.self)
        let next = Attempt(retryCount: 1)
        let left = section("the same") {
            Task {
                for await _ in turns {}
                return reasons(in: next)
            }
        }
        let inNext = await next.runSection(.fixable(reason: "the same"), at: .xctest(#filePath, 1), isolation: nil) {
            turn.finish()
            return (await left.value, reasons(in: next))
        }
        #expect(inNext.0 == [])
        #expect(inNext.1 == ["the same"])
    }

    @Test("sections close in any order, and the others stay open")
    func order() {
        let open = (0..<4).map { attempt.open(.fixable(reason: "\($0)"), at: .xctest(#filePath, 1)) }
        func left() -> [String] { reasons(attempt.state.withLock { Array($0.allOpen) }) }
        #expect(left() == ["3", "2", "1", "0"])
        attempt.close(open[1])
        #expect(left() == ["3", "2", "0"])
        attempt.close(open[3])
        attempt.close(open[0])
        #expect(left() == ["2"])
        attempt.close(open[2])
        #expect(left() == [])
    }

    @MainActor
    @Test("a section begins and ends on the caller's actor, with nothing else of the actor in between")
    func staysOnActor() async {
        var hasComeBetween = false
        func isUndisturbed(_ reason: String, in body: () async -> Void = {}) async {
            hasComeBetween = false
            let other = Task { hasComeBetween = true }
            await section(reason) {
                #expect(!hasComeBetween, "\(reason)")
                await body()
            }
            await other.value
        }
        await isUndisturbed("alone")
        await section("outer") { await isUndisturbed("nested") }
        await isUndisturbed("outer") { await isUndisturbed("nested in nothing of its own") }
    }

    @Test("a framework that asks twice about a failure gets the same answer, and the failure is noted once")
    func askedTwice() {
        let open = attempt.open(.fixable(reason: "a race"), at: .testing("a.swift", 1))
        #expect(attempt.suppress(Self.failure, in: open))
        #expect(attempt.suppress(Self.failure, in: open))
        #expect(attempt.record.failures.count == 1)
    }

    @Test("a failure that the run's mode refuses to a section, and that is then real, is noted once")
    func refused() {
        let attempt = Attempt(retryCount: 0, process: ProcessContext(environment: ["RETRYABLE_MODE": "strict"]))
        let open = attempt.open(.fixable(reason: "a race"), at: .testing("a.swift", 1))
        #expect(!attempt.suppress(Self.failure, in: open))
        attempt.noteReal(Self.failure)
        #expect(attempt.record.failures.count == 1)
    }

    @Test("an error whose end opens a section waits for nobody")
    func errorThatEnds() async {
        await #expect(processExitsWith: .success) {
            alarm(20)
            final class Last: Error {
                let attempt: Attempt
                init(_ attempt: Attempt) { self.attempt = attempt }
                deinit { attempt.runSection(.fixable(reason: "at the end"), at: .xctest(#filePath, 1)) {} }
            }
            let attempt = Attempt(retryCount: 0)
            for _ in 0..<70 {
                do {
                    try attempt.runSection(.fixable(reason: "a race"), at: .xctest(#filePath, 1)) {
                        throw Last(attempt)
                    }
                } catch {}
            }
            _ = attempt.end()
        }
    }

    // MARK: -

    private static let failure = Failure(message: "too early", file: nil, line: nil, kind: .assertion)

    /// The reasons of the sections that a failure here and now would be inside of.
    private func reasons(in attempt: Attempt) -> [String] { reasons(attempt.sectionsHere()) }

    private func reasons(_ sections: [Section]) -> [String] { sections.map(\.mark.reason) }

    private func section<Result>(_ reason: String, _ body: () throws -> Result) rethrows -> Result {
        try attempt.runSection(.fixable(reason: reason), at: .xctest(#filePath, #line), body)
    }

    private func section<Result>(
        _ reason: String,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await attempt.runSection(
            .fixable(reason: reason),
            at: .xctest(#filePath, #line),
            isolation: isolation,
            body
        )
    }
}
