import Foundation
import Testing

@testable import RetryCore

/// Rules 3 to 5: the sections that a failure is inside of, and that an error has left.
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

    @Test("without a task, a failure is inside of the thread's sections, or else of all that the attempt has open")
    func withoutTask() async {
        await section("outer") {
            await Task { await section("of another task") { await isSeenOnQueue(["of another task", "outer"]) } }.value
            await section("inner") {
                await isSeenOnQueue(["inner", "outer"])
                await isSeenOnQueue(["on the queue"], in: "on the queue")
            }
        }
        await isSeenOnQueue([])
    }

    private func isSeenOnQueue(
        _ reasons: [String],
        in reason: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        @Sendable func seenHere() -> [String] {
            self.reasons(attempt.sectionsHere(countingAllWithoutTask: true))
        }
        let seen = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: reason.map { section($0, seenHere) } ?? seenHere())
            }
        }
        #expect(seen == reasons, sourceLocation: sourceLocation)
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
        do {
            try section("outer") {
                try section("inner") { throw Late() }
            }
            Issue.record("nothing was thrown")
        } catch {
            #expect(reasons(leftBy: error) == ["inner", "outer"])
        }
    }

    @Test("an error is known by its box: passed on it is the same, thrown anew it is another")
    func boxes() async throws {
        final class Object: Error {}
        let object = Object()
        let shared = NSError(domain: "shop", code: 1)
        for new: @Sendable () -> any Error in [{ Late() }, { object }, { shared }] {
            let caught = thrown { try section("a race") { throw new() } }
            #expect(reasons(leftBy: caught) == ["a race"])
            #expect(reasons(leftBy: thrown { throw caught }) == ["a race"])
            #expect(reasons(leftBy: thrown { try Result<Void, any Error>.failure(caught).get() }) == ["a race"])
            #expect(reasons(leftBy: thrown { throw new() }) == [])
        }
        let caught = thrown { try section("a race") { throw Late() } }
        let typed = thrown { do { throw caught } catch let late as Late { throw late } }
        #expect(reasons(leftBy: typed) == [], "a typed copy is another box")
    }

    @Test("a continuation and a stream pass on an error in a box of their own, which is looked into")
    func innermostBoxes() async {
        let caught = thrown { try section("a race") { throw Late() } }
        do {
            let _: Void = try await withCheckedThrowingContinuation { $0.resume(throwing: caught) }
        } catch {
            #expect(reasons(leftBy: error) == ["a race"])
        }
        do {
            let stream = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: caught) }
            for try await _ in stream {}
            Issue.record("the stream did not throw")
        } catch {
            #expect(reasons(leftBy: error) == ["a race"])
        }
    }

    @Test("any number of errors is kept, until the attempt ends")
    func manyErrors() {
        let all = (0..<500).map { number in thrown { try section("\(number)") { throw Late() } } }
        #expect(all.enumerated().allSatisfy { reasons(leftBy: $1) == ["\($0)"] })
        _ = attempt.end()
        #expect(reasons(leftBy: all[0]) == [])
    }

    @Test("the last error that left a section counts for its phase alone")
    func phases() {
        let inSetUp = thrown { try section("in setUp") { throw Late() } }
        #expect(attempt.lastErrorOfPhase is Late)
        attempt.begin(.method)
        #expect(attempt.lastErrorOfPhase == nil)
        attempt.begin(.tearDown)
        #expect(attempt.lastErrorOfPhase == nil)
        withExtendedLifetime(inSetUp) {}
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
            _ = attempt.end()
        }
    }

    // MARK: -

    private struct Late: Error {}

    private func thrown(_ body: () throws -> Void) -> any Error {
        do {
            try body()
            Issue.record("nothing was thrown")
            return CancellationError()
        } catch {
            return error
        }
    }

    /// The reasons of the sections that a failure here and now would be inside of.
    private var here: [String] { reasons(in: attempt) }

    private func reasons(in attempt: Attempt) -> [String] { reasons(attempt.sectionsHere()) }

    private func reasons(leftBy error: any Error) -> [String] { reasons(attempt.sections(leftBy: error)) }

    private func reasons(_ sections: [Section]) -> [String] { sections.map(\.mark.reason) }

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
