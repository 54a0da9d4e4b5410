import Testing

/// Passing tests of Swift Testing, in a suite that is `.retryable` and in one whose trait does nothing.
enum SwiftTesting {
    static func row(rounds: Int, _ child: Child) throws -> Row {
        let samples = try (0..<rounds).map { _ in try child.measure(.testing).perTest }
        let pair = Pair(samples)
        return Row(
            what: "a passing test in a .retryable suite",
            against: "a suite whose trait does nothing",
            ratio: pair.ratio,
            detail: "\(pair.inMicroseconds) of processor time per test",
            mark: .atMost(1.06)
        )
    }

    private static let turns = 40
    private static let repetitions = 25

    /// The processor's time that a test takes in either suite, in many small runs taken in turn.
    static func perTest() async -> Workload.Sample.Versus {
        let pair = await Pair(rounds: turns, { await run10More(in: "Retrying") }, { await run10More(in: "Ordinary") })
        return Workload.Sample.Versus(pair, tests: 10 * repetitions)
    }

    // Ordinary tests, run again and again, and not the cases of one: what Swift Testing takes for a case grows with the
    // number of cases, until nothing is seen beside it.

    /// What ten more tests cost than one: what a run and its suite cost is taken off.
    private static func run10More(in suite: String) async -> Double {
        let eleven = await run("\(suite)/")
        let one = await run("\(suite)/first")
        return eleven - one
    }

    /// Runs tests as SwiftPM does: by the same function, with what `swift test` makes of its arguments.
    private static func run(_ tests: String) async -> Double {
        var arguments = __CommandLineArguments_v0()
        arguments.filter = ["^benchmarks\\.SwiftTesting/\(tests)"]
        arguments.parallel = false
        arguments.repetitions = repetitions
        let before = processorTime
        let exitCode: CInt = await __swiftPMEntryPoint(passing: arguments)
        return exitCode == 0 ? processorTime - before : .nan
    }
}
