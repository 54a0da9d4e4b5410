import RetryReport
import RetryableTesting
import TestSupport
import Testing

@Suite("What the report says of an expectation")
struct ExpectationTests {
    @Test("the report has an expectation's source, then its values, in the same words with every Swift Testing")
    func words() async throws {
        let run = try await SwiftTestingRun.of("Expectations/fail")
        let messages = run.report.tests.first?.attempts.first?.failures.map(\.message)
        #expect(
            messages == [
                "Expectation failed: total == 3 (total → 2)",
                "Expectation failed: total * 2 < list.count (total * 2 → 4, list.count → 2)",
                "Expectation failed: name == \"grace\" (name → \"ada\"): the name",
                "Expectation failed: list != [1, 2] (list → [1, 2])",
                "Expectation failed: user != nil (user → nil)",
                "Expectation failed: user ?? name == \"grace\" (user ?? name → \"ada\")",
                "Expectation failed: list.contains(5) (list → [1, 2])",
                "Expectation failed: list.starts(with: [total]) (list → [1, 2], [total] → [2]): // in the source: the start",
                "Expectation failed: name.isEmpty (name → \"ada\", isEmpty → false)",
                "Expectation failed: isReady",
                "Expectation failed: isEven(total + 1)",
                "Expectation failed: !isEven(total)",
                "Expectation failed: !list.contains(total) (list → [1, 2], total → 2)",
                "Expectation failed: !(total == 2) (total → 2)",
                "Expectation failed: !Box().isFull (Box() → Box(isFull: true), isFull → true)",
                "Expectation failed: isReady && total == 2 (isReady → false)",
                "Expectation failed: !isReady && isReady (!isReady → true, isReady → false)",
                "Expectation failed: value is String (value → 2, String → Int)",
                "Expectation failed: user → nil: no user",
                "Expectation failed: user.count → nil (user → nil, count → nil)",
                "Expectation failed: list.firstIndex(of: 5) → nil (list → [1, 2])",
                "Expectation failed: find(5) → nil",
                "Expectation failed: find() → nil",
                "Expectation failed: value as? String (value → 2, String → Int)",
                "Expectation failed: isReady: not ready",
                "Expectation failed: await total() == 1",
                "Expectation failed: expected error of type Boom, but \"CancellationError()\" was thrown instead",
            ]
        )
    }

    @Test(
        "a mark's matching text holds for a value, and for the words of Swift Testing itself",
        arguments: ["matchesValue", "matchesWords"]
    )
    func matching(test: String) async throws {
        let run = try await SwiftTestingRun.of("Expectations/\(test)")
        #expect(run.ending == .success)
        #expect(run.report.tests.map(\.outcome) == [.recovered])
    }
}

// MARK: - Programs

#if PROGRAM
    @Suite(.retryable) struct Expectations {
        private struct Box { var isFull = true }

        private let total = 2
        private let name = "ada"
        private let list = [1, 2]
        private let user: String? = nil
        private let isReady = false
        private let value: Any = 2

        private func isEven(_ number: Int) -> Bool { number % 2 == 0 }
        private func total() async -> Int { total }
        private func find(_ number: Int = 0) -> Int? { nil }

        @Test func fail() async throws {
            if Test.retryCount > 0 { return flaky(.race) {} }
            flaky(.race) { compare() }
            flaky(.race) { call() }
            flaky(.race) { negate() }
            flaky(.race) { require() }
            await flaky(.race) { #expect(await total() == 1) }
            _ = flaky(.race) { #expect(throws: Boom.self) { throw CancellationError() } }
        }

        private func compare() {
            #expect(total == 3)
            #expect(total * 2 < list.count)
            #expect(name == "grace", "the name")
            #expect(list != [1, 2])
            #expect(user != nil)
            #expect(user ?? name == "grace")
        }

        private func call() {
            #expect(list.contains(5))
            // in the source
            #expect(list.starts(with: [total]), "the start")
            #expect(name.isEmpty)
            #expect(isReady)
            #expect(isEven(total + 1))
        }

        private func negate() {
            #expect(!isEven(total))
            #expect(!list.contains(total))
            #expect(!(total == 2))
            #expect(!Box().isFull)
            #expect(isReady && total == 2)
            #expect(!isReady && isReady)
            #expect(value is String)
        }

        private func require() {
            ignoringErrors { try #require(user, "no user") as String }
            ignoringErrors { try #require(user?.count) as Int }
            ignoringErrors { try #require(list.firstIndex(of: 5)) as Int }
            ignoringErrors { try #require(find(5)) as Int }
            ignoringErrors { try #require(find()) as Int }
            ignoringErrors { try #require(value as? String) as String }
            ignoringErrors { try #require(isReady, "not ready") }
        }

        private func ignoringErrors<Value>(_ body: () throws -> Value) { _ = try? body() }

        @Test func matchesValue() {
            flaky(.fixable(reason: "a race", matching: "retryCount → 0")) { #expect(Test.retryCount != 0) }
        }

        /// Up to 6.3, Swift Testing writes a value beside its source: `(Test.retryCount → 0) != 0`.
        @Test func matchesWords() {
            let words = Locked("nothing")
            withKnownIssue(isIntermittent: true) {
                #expect(Test.retryCount != 0)
            } matching: { issue in
                words.withLock { $0 = "\(issue.kind)" }
                return true
            }
            flaky(.fixable(reason: "a race", matching: words.withLock { $0 })) { #expect(Test.retryCount != 0) }
        }
    }
#endif
