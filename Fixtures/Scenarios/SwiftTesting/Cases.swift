import RetryableTesting
import Testing

@Suite(.retryable) struct Cases {
    @Test(arguments: ["ada", "bob", "eve"]) func one(user: String) {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0 || user == "bob") }
        if user == "eve" { Issue.record("eve fails") }
    }

    @Test(arguments: [("ada", 12), ("bob", 7)]) func pair(user: String, amount: Int) {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
    }

    @Test(arguments: [true, false], Shape.allCases) func two(isOn: Bool, shape: Shape) {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0 || !isOn) }
    }

    @Test(.serialized, arguments: [Vague(number: 1), Vague(number: 2)]) func alike(vague: Vague) {
        flaky(.notFixable(reason: "a race", maxRetryCount: vague.number)) { #expect(retryCount == vague.number) }
    }

    @Test(.serialized, arguments: ["ada", "ada"]) func equal(user: String) {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
    }

    @Test(arguments: [String(repeating: "x", count: 10_000)]) func long(text: String) {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
    }
}

enum Shape: CaseIterable { case circle, square }

struct Vague: Sendable, CustomTestStringConvertible {
    var number: Int
    var testDescription: String { "something" }
}

@Suite(.retryable) struct Crowd {
    @Test(arguments: 1...500) func flakes(number: Int) async throws {
        await flaky(.fixable(reason: "number \(number)")) {
            await Task.yield()
            #expect(retryCount > 0, "flake \(number)")
        }
        await Task.yield()
        #expect(retryCount == 1 || number > 0)
    }
}

@Suite(.retryable, .serialized) struct Serialized {
    @Test(arguments: 1...3) func inOrder(number: Int) {
        print("\(number), attempt \(retryCount + 1)")
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
    }
}

@Suite(.retryable) struct EightFlakes {
    @Test(arguments: 1...8) func flakes(number: Int) {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
    }
}

@Suite(.retryable) struct Overloads {
    @Test(arguments: [1]) func same(number: Int) {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
    }

    @Test(arguments: [1 as UInt]) func same(number: UInt) {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
    }
}
