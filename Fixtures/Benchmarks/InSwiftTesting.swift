import RetryableTesting
import Testing

/// Sections and passing tests of Swift Testing.
enum InSwiftTesting {
    static func passing(_ rounds: Int) throws -> Row {
        let pair = Pair(try (0..<rounds).map { _ in try Child.measure("passing in Swift Testing") })
        return Row(
            what: "a passing test in a .retryable suite",
            against: "a suite whose trait does nothing",
            ratio: pair.ratio,
            detail: "\(pair.detail("µs", 1e6, digits: 1)) of processor time",
            // At the mark, 10,000 tests take a tenth of a second longer, which nobody feels beside what the tests do.
            atMost: 1.15
        )
    }

    /// A passing section against the parts that it needs: a frame, and a known issue around the same body.
    static func section(_ rounds: Int) throws -> Row {
        let pair = Pair(try (0..<rounds).map { _ in try Child.measure("section in Swift Testing") })
        return Row(
            what: "a passing section of Swift Testing",
            against: "a linked frame with a withKnownIssue",
            ratio: pair.ratio,
            detail: pair.detail("ns", 1e9),
            // Nobody feels it: at the mark, a run that enters a million sections takes three quarters of a second, of which
            // Swift Testing's own known issue is a third.
            atMost: 2.8
        )
    }

    /// Measures one of both, in this process.
    static func measure(section: Bool) async -> (Double, Double) {
        if section {
            _ = await run("Section/", repetitions: 1)
            return Section.measured
        }
        var rounds: [(Double, Double)] = []
        for _ in 0..<40 { rounds.append((await perTest(in: "Retrying"), await perTest(in: "Ordinary"))) }
        let pair = Pair(Array(rounds.dropFirst()))  // the first warms up
        return (pair.first.median, pair.second.median)
    }

    // Ordinary tests, run again and again, and not the cases of one: the cost of a case grows with their number, until
    // nothing is seen beside it.

    /// Returns the processor's time for one of three more tests; a run and its suite cancel out.
    private static func perTest(in suite: String) async -> Double {
        let repetitions = 80
        let four = await run("\(suite)/", repetitions: repetitions)
        let one = await run("\(suite)/first", repetitions: repetitions)
        return (four - one) / Double(3 * repetitions)
    }

    /// Runs tests as SwiftPM does: by the same function, with its form of the arguments of `swift test`.
    private static func run(_ tests: String, repetitions: Int) async -> Double {
        var arguments = __CommandLineArguments_v0()
        arguments.filter = ["^benchmarks\\.InSwiftTesting/\(tests)"]
        arguments.parallel = false
        arguments.repetitions = repetitions
        let before = processorTime
        let exitCode: CInt = await __swiftPMEntryPoint(passing: arguments)
        return exitCode == 0 ? processorTime - before : .nan
    }
}

// MARK: - Tests

extension InSwiftTesting {
    @Suite(.retryable) struct Section {
        nonisolated(unsafe) static var measured = (Double.nan, Double.nan)  // one test, read after it

        private final class Frame: Sendable {
            let around: Frame?
            init(around: Frame?) { self.around = around }
        }

        @TaskLocal private static var frame: Frame?

        @Test func section() {
            let count = 20_000
            var calls = 0
            func inKnownIssue() {
                withKnownIssue("a race", isIntermittent: true, { calls += 1 }, matching: { _ in false })
            }
            func inFrame() { Self.$frame.withValue(Frame(around: Self.frame), operation: inKnownIssue) }
            func sections() { for _ in 0..<count { flaky(.fixable(reason: "a race")) { calls += 1 } } }
            func frames() { for _ in 0..<count { inFrame() } }
            let pair = Pair(rounds: 9, { processorSeconds(sections) }, { processorSeconds(frames) })
            Self.measured = (pair.first.median / Double(count), pair.second.median / Double(count))
        }
    }

    // Names of one length, here and there: they are printed.

    @Suite(.empty) struct Ordinary {
        @Test func first() { #expect(sum(1, 1) == 2) }
        @Test func second() { #expect(sum(1, 1) == 2) }
        @Test func third() { #expect(sum(1, 1) == 2) }
        @Test func fourth() { #expect(sum(1, 1) == 2) }
    }

    @Suite(.retryable) struct Retrying {
        @Test func first() { #expect(sum(1, 1) == 2) }
        @Test func second() { #expect(sum(1, 1) == 2) }
        @Test func third() { #expect(sum(1, 1) == 2) }
        @Test func fourth() { #expect(sum(1, 1) == 2) }
    }

    private static func sum(_ one: Int, _ other: Int) -> Int { one + other }
}

/// A trait with a scope that does nothing, which Swift Testing still pays for.
private struct EmptyTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for _: Test,
        testCase _: Test.Case?,
        performing test: @Sendable () async throws -> Void
    ) async throws {
        try await test()
    }
}

extension Trait where Self == EmptyTrait {
    fileprivate static var empty: Self { EmptyTrait() }
}
