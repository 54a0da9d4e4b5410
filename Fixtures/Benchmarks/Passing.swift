import Retryable

/// 10,000 passing tests, on either class.
enum Passing {
    // Names of one length: XCTest keeps a longer one elsewhere than a short one.
    final class Ordinary: XCTestCase {}
    final class Retrying: RetryableTestCase {}

    private static let suites = 100
    private static let testsPerSuite = 100

    static func row(rounds: Int) -> Row {
        let pairs = (0..<rounds).map { _ in round() }
        let pair = Pair(pairs.map(\.first.median), pairs.map(\.second.median))
        let perTest = { (seconds: [Double]) in "\((seconds.median / Double(testsPerSuite) * 1e6).text(1)) µs" }
        return Row(
            what: "10,000 passing tests on RetryableTestCase",
            against: "the same on XCTestCase",
            ratio: pair.ratio,
            detail: "\(perTest(pair.first)), \(perTest(pair.second)) per test",
            mark: .atMost(1.03)
        )
    }

    /// 10,000 of each, in many small suites taken in turn: XCTest now and then stalls for 0.1 s in a test of either class,
    /// which a median does not see.
    private static func round() -> Pair {
        Pair(
            rounds: suites,
            { seconds { run { Retrying(name: $0, testClosure: $1) } } },
            { seconds { run { Ordinary(name: $0, testClosure: $1) } } }
        )
    }

    private static func run(_ make: (String, @escaping XCTestCaseClosure) -> XCTestCase) {
        let suite = XCTestSuite(name: "Passing")
        for index in 0..<testsPerSuite { suite.addTest(make("test\(index)") { _ in XCTAssertEqual(1, 1) }) }
        suite.run()
    }
}
