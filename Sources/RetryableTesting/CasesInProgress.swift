import Foundation
import Groundwork
import RetryCore
import Testing

/// The retryable suites and test cases that have begun and not ended.
enum CasesInProgress {
    private static let underWay = Locked<[UUID: (test: Test, testCase: Test.Case?)]>([:])

    /// - Returns: A key, for ``finish(_:)``.
    static func start(_ test: Test, _ testCase: Test.Case?) -> UUID {
        let key = UUID()
        underWay.withLock { $0[key] = (test, testCase) }
        return key
    }

    static func finish(_ key: UUID) { _ = underWay.withLock { $0.removeValue(forKey: key) } }

    /// The names of the tests that have begun and not ended; of suites, if no test is running.
    static var unfinished: [String] {
        let all = underWay.withLock { Array($0.values) }
        let tests = all.filter { !$0.test.isSuite }
        return (tests.isEmpty ? all : tests).map { CaseName.of($0.test, $0.testCase).name }.sorted()
    }
}
