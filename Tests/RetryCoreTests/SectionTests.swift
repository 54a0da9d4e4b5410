import Foundation
import Testing

@testable import RetryCore

/// Rule 3: which sections a failure is inside of.
@Suite("Sections")
struct SectionTests {
    private let attempt = Attempt(retryCount: 0)

    @Test("a failure is inside of the sections around it, from the inside out, and of none that was left")
    func nested() {
        section("outer") {
            section("inner") { #expect(here == ["inner", "outer"]) }
            #expect(here == ["outer"])
            section("innermost") { #expect(here == ["innermost", "outer"]) }
        }
        #expect(here.isEmpty)
    }

    @Test("a task is in the sections in which it was made, as long as they are open")
    func task() async {
        let (places, place) = AsyncStream.makeStream(of: [String].self)
        let (turns, turn) = AsyncStream.makeStream(of: Void.self)
        var told = places.makeAsyncIterator()
        await section("outer") {
            await section("inner") {
                Task {
                    for await _ in turns { place.yield(here) }
                }
                turn.yield()
                let inBoth = await told.next()
                #expect(inBoth == ["inner", "outer"])
            }
            turn.yield()
            let inOuter = await told.next()
            #expect(inOuter == ["outer"])
            await section("beside") {
                turn.yield()
                let inOuter = await told.next()
                #expect(inOuter == ["outer"])
            }
        }
        turn.yield()
        let inNone = await told.next()
        #expect(inNone == [])
        turn.finish()
    }

    @Test("tasks that run beside each other are each in their own section")
    func sideBySide() async {
        let (places, place) = AsyncStream.makeStream(of: [String].self)
        let (turns, turn) = AsyncStream.makeStream(of: Void.self)
        var told = places.makeAsyncIterator()
        await section("first") {
            // Made outside of the first section, as far as it can tell.
            Task.detached {
                await section("second") {
                    place.yield(here)
                    for await _ in turns {}
                }
                place.yield(here)
            }
            let inSecond = await told.next()
            #expect(inSecond == ["second"])
            #expect(here == ["first"])
            turn.finish()
            let inNone = await told.next()
            #expect(inNone == [])
        }
    }

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
        let inNext = await next.run(.fixable(reason: "the same"), at: .xctest(#filePath, 1), isolation: nil) {
            turn.finish()
            return (await left.value, reasons(in: next))
        }
        #expect(inNext.0 == [])
        #expect(inNext.1 == ["the same"])
    }

    @Test("without a task, a failure is inside of all that the test's own flow has open, and of nothing else")
    func withoutTask() async {
        await attempt.inOwnTask {
            await section("outer") {
                await Task { await section("of another task") { await isSeenOnQueue(["outer"]) } }.value
                await section("inner") { await isSeenOnQueue(["inner", "outer"]) }
            }
        }
        await section("of nobody's test") { await isSeenOnQueue([]) }
    }

    private func isSeenOnQueue(_ reasons: [String], sourceLocation: SourceLocation = #_sourceLocation) async {
        let seen = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: here) }
        }
        #expect(seen == reasons, sourceLocation: sourceLocation)
    }

    @Test("a detached task is in no section while others are open")
    func detached() async {
        await section("outer") {
            let seen = await Task.detached { here }.value
            #expect(seen == [])
        }
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

    @Test("an error has left the sections that it went through, from the inside out")
    func errors() {
        struct Late: Error {}
        do {
            try section("outer") {
                try section("inner") { throw Late() }
            }
            Issue.record("nothing was thrown")
        } catch {
            #expect(attempt.sectionsLeft(by: error).map(\.mark.reason) == ["inner", "outer"])
        }
    }

    @Test("an error whose end opens a section waits for nobody")
    func errorThatEnds() async {
        await #expect(processExitsWith: .success) {
            alarm(20)
            final class Last: Error {
                let attempt: Attempt
                init(_ attempt: Attempt) { self.attempt = attempt }
                deinit { attempt.run(.fixable(reason: "at the end"), at: .xctest(#filePath, 1)) {} }
            }
            let attempt = Attempt(retryCount: 0)
            for _ in 0..<70 {
                do {
                    try attempt.run(.fixable(reason: "a race"), at: .xctest(#filePath, 1)) { throw Last(attempt) }
                } catch {}
            }
            attempt.forgetErrors()
        }
    }

    // MARK: -

    /// The reasons of the sections that a failure here and now would be inside of.
    private var here: [String] { reasons(in: attempt) }

    private func reasons(in attempt: Attempt) -> [String] {
        attempt.state.withLock { $0.sectionsHere() }.map(\.mark.reason)
    }

    private func section<Result>(_ reason: String, _ body: () throws -> Result) rethrows -> Result {
        try attempt.run(.fixable(reason: reason), at: .xctest(#filePath, #line), body)
    }

    private func section<Result>(
        _ reason: String,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await attempt.run(
            .fixable(reason: reason),
            at: .xctest(#filePath, #line),
            isolation: isolation,
            body
        )
    }
}
