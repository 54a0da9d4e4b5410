import Foundation
import RetryableTesting
import Testing

@Suite(.retryable) struct Tasks {
    @Test func childTask() async {
        await flaky(.fixable(reason: "a race")) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { #expect(retryCount > 0, "in a child task") }
            }
            await Task { #expect(retryCount > 0, "in an unstructured task") }.value
        }
    }

    @Test func detachedTask() async {
        await flaky(.fixable(reason: "a race")) {
            await Task.detached { _ = Issue.record("in a detached task") }.value
        }
    }

    @Test func thread() async {
        await flaky(.fixable(reason: "a race")) {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    Issue.record("on a thread")
                    continuation.resume()
                }
            }
        }
    }

    @Test func taskOfNoSection() async {
        let (failNow, signal) = AsyncStream.makeStream(of: Void.self)
        let other = Task {
            for await _ in failNow { Issue.record("in a task of no section") }
        }
        await flaky(.fixable(reason: "a race")) {
            signal.yield()
            signal.finish()
            await other.value
        }
    }

    @Test func taskOutlives() async {
        let (failNow, signal) = AsyncStream.makeStream(of: Void.self)
        let task = await flaky(.fixable(reason: "a race")) {
            await Task.yield()
            return Task { for await _ in failNow { Issue.record("after its section") } }
        }
        signal.yield()
        signal.finish()
        await task.value
    }

    @Test func manyFailures() async {
        await flaky(.fixable(reason: "a race")) {
            await withTaskGroup(of: Void.self) { group in
                for number in 1...200 { group.addTask { #expect(retryCount > 0, "failure \(number)") } }
            }
        }
    }

    @Test func afterSections() {
        flaky(.fixable(reason: "returns")) {}
        do { try flaky(.fixable(reason: "throws")) { throw Boom() } } catch {}
        Issue.record("after the sections")
    }

    @Test func afterCancelledSection() async {
        let task = Task {
            try await flaky(.fixable(reason: "a race")) { try await Task.sleep(nanoseconds: 60_000_000_000) }
        }
        task.cancel()
        _ = await task.result
        Issue.record("after a section that was cancelled")
    }

    @Test func knownAlready() {
        flaky(.fixable(reason: "a race")) {
            withKnownIssue("known to the test") { _ = Issue.record("inside") }
        }
    }

    @Test func knownAround() {
        withKnownIssue("known to the test") {
            flaky(.fixable(reason: "a race")) { #expect(Bool(false)) }
        }
    }

    @Test func otherKnownAround() {
        withKnownIssue("not this one", isIntermittent: true) {
            flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
        } matching: {
            $0.comments.contains("something else")
        }
    }
}

@Suite(.retryable) @MainActor struct OnMainActor {
    @Test func staysThere() async throws {
        var count = 0
        let value = try await flaky(.fixable(reason: "a race")) {
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
            count += 1
            return try #require(retryCount == 0 ? nil : "value")
        }
        // A section that does not suspend needs no `await` in an async test.
        flaky(.fixable(reason: "a race")) { count += 1 }
        flaky(.fixable(reason: "a race"), #expect(count == 2))
        #expect(value == "value")
    }
}
