import Retryable

/// 10,000 passing tests, on either class.
enum Passing {
    // Names of one length: XCTest keeps a longer one elsewhere than a short one.
    final class Ordinary: XCTestCase {}
    final class Retrying: RetryableTestCase {}

    static func row(rounds: Int) -> Row {
        let count = 10_000
        let pair = Pair(
            rounds: rounds,
            { seconds { run { Retrying(name: $0, testClosure: $1) } } },
            { seconds { run { Ordinary(name: $0, testClosure: $1) } } }
        )
        func run(_ make: (String, @escaping XCTestCaseClosure) -> XCTestCase) {
            let suite = XCTestSuite(name: "Passing")
            for index in 0..<count { suite.addTest(make("test\(index)") { _ in XCTAssertEqual(1, 1) }) }
            suite.run()
        }
        return Row(
            what: "10,000 passing tests on RetryableTestCase",
            against: "the same on XCTestCase",
            ratio: pair.ratio,
            detail: "\((pair.first.median * 1e3).text(0)) ms, \((pair.second.median * 1e3).text(0)) ms",
            mark: .atMost(1.03)
        )
    }
}
