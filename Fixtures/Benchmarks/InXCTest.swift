import Retryable

/// Sections and passing tests of XCTest.
enum InXCTest {
    // Names of one length: XCTest keeps a longer one elsewhere than a short one.
    final class Ordinary: XCTestCase {}
    final class Retrying: RetryableTestCase {}
    private final class Bench: RetryableTestCase { var calls = 0 }

    @TaskLocal private static var bound = 0

    /// A passing section against the least that it can cost: a task that is made in it inherits a task-local value.
    static func section(_ rounds: Int) -> Row {
        let count = 20_000
        let pair = inTest { test in
            func sections() { for _ in 0..<count { test.flaky(.fixable(reason: "a race")) { test.calls += 1 } } }
            func bindings() { for _ in 0..<count { $bound.withValue(1) { test.calls += 1 } } }
            return Pair(rounds: rounds, { processorSeconds(sections) }, { processorSeconds(bindings) })
        }
        return Row(
            what: "a passing section",
            against: "the binding of a task-local value",
            ratio: pair?.ratio,
            detail: pair?.detail("ns", 1e9 / Double(count)) ?? "",
            // Nobody feels it: at the mark, a run that enters a million sections takes a third of a second longer.
            atMost: 8
        )
    }

    /// Runs `body` in a test.
    private static func inTest<Result>(_ body: @escaping (Bench) -> Result) -> Result? {
        var result: Result?
        let suite = XCTestSuite(name: "In a test")
        suite.addTest(Bench(name: "test") { test in result = (test as? Bench).map(body) })
        suite.run()
        return result
    }

    static func passing(_ rounds: Int) throws -> Row {
        let pair = Pair(try (0..<rounds).map { _ in try Child.measure("passing") })
        return Row(
            what: "10,000 passing tests on RetryableTestCase",
            against: "on XCTestCase",
            ratio: pair.ratio,
            detail: "\(pair.detail("µs", 1e6, digits: 1)) of processor time per test",
            // At the mark, 10,000 tests take a tenth of a second longer, which nobody feels beside what the tests do.
            atMost: 1.15
        )
    }

    /// Returns the processor's time that a test takes on either class: 10,000 of each, in small suites taken in turn.
    static func passingTests() -> (Double, Double) {
        let tests = 100
        func run(_ make: (String, @escaping XCTestCaseClosure) -> XCTestCase) -> Double {
            let suite = XCTestSuite(name: "Passing")
            return processorSeconds {
                for index in 0..<tests { suite.addTest(make("test\(index)") { _ in XCTAssertEqual(1, 1) }) }
                suite.run()
            } / Double(tests)
        }
        let pair = Pair(
            rounds: 100,
            { run { Retrying(name: $0, testClosure: $1) } },
            { run { Ordinary(name: $0, testClosure: $1) } }
        )
        return (pair.first.median, pair.second.median)
    }

    /// Returns how long a run takes of tests with a section, of which the first few flake once.
    static func flaking(_ few: Int, of count: Int) -> Double {
        let tests = (0..<count).map { index -> (String, XCTestCaseClosure) in
            let test: XCTestCaseClosure = { test in
                guard let test = test as? Retrying else { return }
                test.flaky(.fixable(reason: "a race")) { if index < few { XCTAssertEqual(test.retryCount, 1) } }
            }
            return ("test\(index)", test)
        }
        let entry: XCTestCaseEntry = (Retrying.self, tests)
        return seconds { _ = XCTMain([entry], arguments: ["benchmarks"], observers: []) as CInt }
    }
}
