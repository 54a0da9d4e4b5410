import RetryableTesting
import Testing

@Suite(.retryable) struct Errors {
    @Test func leaves() throws {
        let box = ErrorBox()
        do {
            try flaky(.fixable(reason: "a race")) {
                if retryCount == 0 { throw box }
            }
        } catch let error as ErrorBox {
            print("the very error: \(error === box)")
            throw error
        }
        print("reached on attempt \(retryCount + 1)")
    }

    @Test func leavesAsync() async throws {
        try await flaky(.fixable(reason: "a race")) {
            await Task.yield()
            if retryCount == 0 { throw Boom() }
        }
    }

    @Test func leavesExpression() throws {
        try flaky(.fixable(reason: "a race"), try mayThrow(retryCount == 0))
    }

    @Test func caught() {
        do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch {}
    }

    @Test func caughtBetweenSections() {
        flaky(.notFixable(reason: "outer")) {
            do { try flaky(.fixable(reason: "inner")) { throw Boom() } } catch {}
        }
    }

    @Test func recorded() {
        flaky(.fixable(reason: "a race")) {
            if retryCount == 0 { Issue.record(Boom()) }
        }
    }

    @Test func equalErrorOutside() throws {
        do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch {}
        throw Boom()
    }

    @Test func loggedAndRethrown() throws {
        do {
            try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
        } catch {
            print("logged: \(error)")
            throw error
        }
    }

    @Test func leavesTwo() throws {
        try flaky(.notFixable(reason: "outer", maxRetryCount: 2)) {
            try flaky(.fixable(reason: "inner")) { if retryCount < 2 { throw Boom() } }
        }
    }

    @Test func outside() throws {
        flaky(.fixable(reason: "a race")) {}
        throw Boom()
    }

    @Test func always() throws {
        try flaky(.fixable(reason: "a race")) { throw Boom() }
    }

    @Test func require() throws {
        let value = try flaky(.fixable(reason: "a race"), try #require(retryCount == 0 ? nil : 1, "no value"))
        #expect(value == 1)
    }

    @Test func expectation() async throws {
        try await flaky(.fixable(reason: "a race")) { try await #expect(slowly(retryCount > 0)) }
        try flaky(.fixable(reason: "passes")) { try #expect(quickly(true)) }
    }

    private func slowly(_ value: Bool) async throws -> Bool {
        await Task.yield()
        return value
    }

    private func quickly(_ value: Bool) throws -> Bool { value }

    @Test func requireOutside() throws {
        flaky(.fixable(reason: "a race")) {}
        _ = try #require(nil as Int?, "no value")
    }

    private func mayThrow(_ does: Bool) throws {
        if does { throw Boom() }
    }
}

private final class ErrorBox: Error {}
