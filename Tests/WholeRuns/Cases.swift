import RetryReport
import RetryableTesting
import Testing

@Suite("Parameterized and parallel tests")
struct CaseTests {
    @Test("each case of a parameterized test is retried by itself")
    func forItself() async throws {
        let run = try await SwiftTestingRun.of("Cases/one")
        #expect(run.ending == .failure)
        #expect(run.failures.first == "Issue recorded: eve fails")
        #expect(run.failures.count == 2)  // eve's flake is not retried, and shows, too
        #expect(run.report.tests.map(\.name) == ["Cases/one(user:) [\"ada\"]", "Cases/one(user:) [\"eve\"]"])
        #expect(run.report.tests.map(\.outcome) == [.recovered, .failed])
    }

    @Test(
        "the report names a case by its arguments, shortens long ones, and numbers those that read the same",
        arguments: [
            ("pair", ["Cases/pair(user:amount:) [\"ada\", 12]", "Cases/pair(user:amount:) [\"bob\", 7]"], [1, 1]),
            ("two", ["Cases/two(isOn:shape:) [true, .circle]", "Cases/two(isOn:shape:) [true, .square]"], [1, 1]),
            ("long", ["Cases/long(text:) [\"\(String(repeating: "x", count: 199))… (9802 characters more)]"], [1]),
            ("alike", ["Cases/alike(vague:) [something]", "Cases/alike(vague:) [something] #2"], [1, 2]),
            ("equal", ["Cases/equal(user:) [\"ada\"]", "Cases/equal(user:) [\"ada\"] #2"], [1, 1]),
        ]
    )
    func names(test: String, names: [String], retries: [Int]) async throws {
        let run = try await SwiftTestingRun.of("Cases/\(test)")
        #expect(run.ending == .success)
        #expect(run.report.tests.map(\.name) == names)
        #expect(run.report.tests.map(\.attemptedRetries) == retries)
    }

    @Test("two tests with the same name have a record each")
    func overloads() async throws {
        let run = try await SwiftTestingRun.of("Overloads")
        #expect(run.report.tests.map(\.name) == ["Overloads/same(number:) [1]", "Overloads/same(number:) [1] #2"])
        #expect(run.report.tests.map(\.outcome) == [.recovered, .recovered])
    }

    @Test("a test that Swift Testing repeats has one record with the attempts of all repetitions")
    func repeated() async throws {
        let run = try await SwiftTestingRun.of("Cases/pair", ["--repetitions", "2"])
        #expect(run.report.tests.count == 2)
        #expect(run.report.tests.allSatisfy { $0.attempts.map(\.number) == [1, 2, 1, 2] })
    }

    @Test("50 tests that flake in parallel are all retried, each with attempts of its own")
    func crowd() async throws {
        let run = try await SwiftTestingRun.of("Crowd")
        #expect(run.ending == .success)
        #expect(run.reasons.count == 50)
        #expect(run.report.tests.count == 50)
        for retry in run.report.tests {
            let number = try #require(retry.name.split(separator: "[").last?.dropLast())
            #expect(retry.mark.reason == "number \(number)")
            #expect(retry.outcome == .recovered)
            #expect(retry.attempts.map(\.outcome) == [.flaked, .passed])
            #expect(retry.attempts.first?.failures.map { $0.message.hasSuffix("flake \(number)") } == [true])
        }
        #expect(run.ourLines.first == "Retryable: 50 flaky")
    }
}

// MARK: - Programs

#if PROGRAM
    @Suite(.retryable) struct Cases {
        @Test(arguments: ["ada", "bob", "eve"]) func one(user: String) {
            flaky(.race) { #expect(Test.retryCount > 0 || user == "bob") }
            if user == "eve" { Issue.record("eve fails") }
        }

        @Test(arguments: [("ada", 12), ("bob", 7)]) func pair(user: String, amount: Int) {
            flaky(.race) { #expect(Test.retryCount > 0) }
        }

        @Test(arguments: [true, false], Shape.allCases) func two(isOn: Bool, shape: Shape) {
            flaky(.race) { #expect(Test.retryCount > 0 || !isOn) }
        }

        @Test(.serialized, arguments: [Vague(number: 1), Vague(number: 2)]) func alike(vague: Vague) {
            flaky(.notFixable(reason: "a race", maxRetryCount: vague.number)) {
                #expect(Test.retryCount == vague.number)
            }
        }

        @Test(.serialized, arguments: ["ada", "ada"]) func equal(user: String) {
            flaky(.race) { #expect(Test.retryCount > 0) }
        }

        @Test(arguments: [String(repeating: "x", count: 10_000)]) func long(text: String) {
            flaky(.race) { #expect(Test.retryCount > 0) }
        }
    }

    enum Shape: CaseIterable { case circle, square }

    struct Vague: Sendable, CustomTestStringConvertible {
        var number: Int
        var testDescription: String { "something" }
    }

    @Suite(.retryable) struct Crowd {
        @Test(arguments: 1...50) func flakes(number: Int) async throws {
            await flaky(.fixable(reason: "number \(number)")) {
                await Task.yield()
                #expect(Test.retryCount > 0, "flake \(number)")
            }
            await Task.yield()
            #expect(Test.retryCount == 1 || number > 0)
        }
    }

    @Suite(.retryable) struct Overloads {
        @Test(arguments: [1]) func same(number: Int) {
            flaky(.race) { #expect(Test.retryCount > 0) }
        }

        @Test(arguments: [1 as UInt]) func same(number: UInt) {
            flaky(.race) { #expect(Test.retryCount > 0) }
        }
    }
#endif
