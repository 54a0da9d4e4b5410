import Retryable

/// 10,000 passing tests, on either class.
enum Passing {
    // Names of one length: XCTest keeps a longer one elsewhere than a short one.
    final class Ordinary: XCTestCase {}
    final class Retrying: RetryableTestCase {}

    private static let suites = 100
    private static let testsPerSuite = 100

    static func row(rounds: Int, _ child: Child) throws -> Row {
        let samples = try (0..<rounds).map { _ in try child.measure(.passing).perTest }
        let pair = Pair(samples)
        return Row(
            what: "10,000 passing tests on RetryableTestCase",
            against: "the same on XCTestCase",
            ratio: pair.ratio,
            detail: "\(pair.inMicroseconds) of processor time per test",
            mark: .atMost(1.03)
        )
    }

    /// The processor's time that a test takes on either class: 10,000 of each, in many small suites taken in turn, so
    /// that what disturbs one suite is not seen by the median.
    static func perTest() -> Workload.Sample.Versus {
        let pair = Pair(
            rounds: suites,
            { processorSeconds { run { Retrying(name: $0, testClosure: $1) } } },
            { processorSeconds { run { Ordinary(name: $0, testClosure: $1) } } }
        )
        return Workload.Sample.Versus(pair, tests: testsPerSuite)
    }

    private static func run(_ make: (String, @escaping XCTestCaseClosure) -> XCTestCase) {
        let suite = XCTestSuite(name: "Passing")
        for index in 0..<testsPerSuite { suite.addTest(make("test\(index)") { _ in XCTAssertEqual(1, 1) }) }
        suite.run()
    }
}

extension Pair {
    /// What each round's process tells of a passing test.
    init(_ perTest: [Workload.Sample.Versus]) {
        self.init(perTest.map(\.retrying), perTest.map(\.ordinary))
    }

    var inMicroseconds: String { "\((first.median * 1e6).text(1)) µs, \((second.median * 1e6).text(1)) µs" }
}

extension Workload.Sample.Versus {
    /// The medians of many runs of so many tests.
    init(_ pair: Pair, tests: Int) {
        self.init(retrying: pair.first.median / Double(tests), ordinary: pair.second.median / Double(tests))
    }
}
