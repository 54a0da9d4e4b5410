import RetryReport
import Testing

@Suite("Parameterized and parallel tests")
struct CaseTests {
    @Test("each case is retried for itself")
    func forItself() async throws {
        let run = try await SwiftTestingRun.of("Cases/one")
        #expect(run.ending == .failure)
        #expect(run.failures.first == "Issue recorded: eve fails")
        #expect(run.failures.count == 2)  // eve's flake is not retried, and shows, too
        #expect(run.report.retries.map(\.name) == ["Cases/one(user:) [\"ada\"]", "Cases/one(user:) [\"eve\"]"])
        #expect(run.report.retries.map(\.outcome) == [.recovered, .failed])
    }

    @Test(
        "the report names the arguments",
        arguments: [
            ("pair", ["Cases/pair(user:amount:) [\"ada\", 12]", "Cases/pair(user:amount:) [\"bob\", 7]"]),
            ("two", ["Cases/two(isOn:shape:) [true, .circle]", "Cases/two(isOn:shape:) [true, .square]"]),
            ("long", ["Cases/long(text:) [\"\(String(repeating: "x", count: 199))…]"]),
        ]
    )
    func names(test: String, names: [String]) async throws {
        let run = try await SwiftTestingRun.of("Cases/\(test)")
        #expect(run.ending == .success)
        #expect(run.report.retries.map(\.name) == names)
    }

    @Test("two tests of one name are two tests")
    func overloads() async throws {
        let run = try await SwiftTestingRun.of("Overloads")
        #expect(run.report.retries.map(\.name) == ["Overloads/same(number:) [1]", "Overloads/same(number:) [1] #2"])
        #expect(run.report.retries.map(\.outcome) == [.recovered, .recovered])
    }

    @Test(
        "cases that read the same are told apart",
        arguments: [
            ("alike", ["Cases/alike(vague:) [something]", "Cases/alike(vague:) [something] #2"], [1, 2]),
            ("equal", ["Cases/equal(user:) [\"ada\"]", "Cases/equal(user:) [\"ada\"] #2"], [1, 1]),
        ]
    )
    func toldApart(test: String, names: [String], retries: [Int]) async throws {
        let run = try await SwiftTestingRun.of("Cases/\(test)")
        #expect(run.report.retries.map(\.name) == names)
        #expect(run.report.retries.map(\.attemptedRetries) == retries)
    }

    @Test("a test that is repeated keeps its name")
    func repeated() async throws {
        let run = try await SwiftTestingRun.of("Cases/pair", ["--repetitions", "2"])
        #expect(run.report.retries.count == 2)
        #expect(run.report.retries.allSatisfy { $0.attempts.map(\.number) == [1, 2, 1, 2] })
    }

    @Test("of 500 tests that flake in parallel, none shares an attempt and none is lost")
    func crowd() async throws {
        let run = try await SwiftTestingRun.of("Crowd")
        #expect(run.ending == .success)
        #expect(run.reasons.count == 500)
        #expect(run.report.retries.count == 500)
        for retry in run.report.retries {
            let number = try #require(retry.name.split(separator: "[").last?.dropLast())
            #expect(retry.reason == "number \(number)")
            #expect(retry.outcome == .recovered)
            #expect(retry.attempts.map(\.outcome) == [.flaked, .passed])
            #expect(retry.attempts.first?.failures.map { $0.message.hasSuffix("flake \(number)") } == [true])
        }
        #expect(run.ourLines.first == "Retryable: 500 flaky")
    }
}
