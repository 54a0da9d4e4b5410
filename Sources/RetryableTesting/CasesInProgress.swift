import Groundwork
import RetryCore
import Testing

/// The retryable suites and test cases that have begun and not ended.
enum CasesInProgress {
    /// By the order in which they began.
    private static let underWay = Locked((last: 0, tests: [Int: (test: Test, testCase: Test.Case?)]()))

    /// - Returns: A number, for ``finish(_:)``.
    static func start(_ test: Test, _ testCase: Test.Case?) -> Int {
        underWay.withLock { underWay in
            underWay.last += 1
            underWay.tests[underWay.last] = (test, testCase)
            return underWay.last
        }
    }

    static func finish(_ number: Int) {
        _ = underWay.withLock { $0.tests.removeValue(forKey: number) }
    }

    /// The names of the tests that have begun and not ended; of suites, if no test is running.
    static var unfinished: [String] {
        let all = underWay.withLock { $0.tests.values.map { $0 } }
        let tests = all.filter { !$0.test.isSuite }
        return (tests.isEmpty ? all : tests).map { CaseName.of($0.test, $0.testCase).name }.sorted()
    }
}
