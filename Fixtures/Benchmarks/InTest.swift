import Retryable

/// What is measured inside of a running test: sections and steps.
enum InTest {
    nonisolated(unsafe) private static var sections = Pair([], [])  // one test, on the main thread
    nonisolated(unsafe) private static var steps = Pair([], [])
    nonisolated(unsafe) private static var rounds = 0
    private static let count = 20_000
    @TaskLocal private static var bound = 0

    static func rows(rounds: Int) -> [Row] {
        self.rounds = rounds
        let suite = XCTestSuite(name: "In a test")
        suite.addTest(Bench(name: "test") { test in (test as? Bench)?.measure() })
        suite.run()
        let perCall = { (seconds: [Double]) in "\((seconds.median / Double(count) * 1e9).text(0)) ns" }
        return [
            // A task that is made in a section has to inherit it, so no section costs less than the binding.
            Row(
                what: "a passing section",
                against: "the binding of a task-local value",
                ratio: sections.ratio,
                detail: "\(perCall(sections.first)), \(perCall(sections.second))",
                mark: .atMost(3)
            ),
            Row(
                what: "a step that succeeds at once",
                against: "1 µs",
                ratio: zip(steps.first, steps.second).map { ($0 - $1) / Double(count) * 1e6 }.median,
                detail: "\(perCall(steps.first)), its closures alone \(perCall(steps.second))",
                mark: .below(1)
            ),
        ]
    }

    final class Bench: RetryableTestCase {
        private var calls = 0

        func measure() {
            sections = Pair(
                rounds: rounds,
                { seconds { for _ in 0..<count { flaky(.fixable(reason: "a race")) { calls += 1 } } } },
                { seconds { for _ in 0..<count { InTest.$bound.withValue(1) { calls += 1 } } } }
            )
            steps = Pair(
                rounds: rounds,
                {
                    seconds {
                        for _ in 0..<count {
                            autoRetry(
                                mainAction: { calls += 1 },
                                successCondition: { calls > 0 },
                                actionDescription: "Count"
                            )
                        }
                    }
                },
                { seconds { for _ in 0..<count { countAlone() } } }
            )
        }

        @inline(never)
        private func countAlone() {
            calls += 1
            if calls == 0 { print("never") }
        }
    }
}
