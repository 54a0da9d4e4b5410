import Foundation
import Groundwork
import RetryCore
import Testing

/// What happens once in a process: before its first test, and at its end.
enum ThisProcess {
    /// Reads the environment and puts the report in place; ends the process with exit code 2 if it cannot.
    static func begin() {
        // The order matters: should the process end in here, nothing may wait for what has not begun.
        if ProcessRun.shared.begin() {
            ProcessRun.shared.sayUnsupervised("a crash ends the process, and the report says what was pending")
        }
        _ = isWatched
    }

    /// Swift Testing tells nobody that its run is over. Its process ends by `exit`, though.
    private static let isWatched: Void = EarlyExit.watch({ unfinished }, atEnd: { ProcessRun.shared.finish() })

    /// What has begun and not ended, by the order in which it began: suites, and the cases of tests.
    private static let underWay = Locked((last: 0, tests: [Int: (test: Test, testCase: Test.Case?)]()))

    /// - Returns: What to tell of the end by.
    static func begin(_ test: Test, _ testCase: Test.Case?) -> Int {
        underWay.withLock { underWay in
            underWay.last += 1
            underWay.tests[underWay.last] = (test, testCase)
            return underWay.last
        }
    }

    static func end(_ number: Int) {
        _ = underWay.withLock { $0.tests.removeValue(forKey: number) }
    }

    /// The names of the tests that have begun and not ended; of suites, if no test is running.
    private static var unfinished: [String] {
        let all = underWay.withLock { $0.tests.values.map { $0 } }
        let tests = all.filter { !$0.test.isSuite }
        return (tests.isEmpty ? all : tests).map { CaseName.of($0.test, $0.testCase).name }.sorted()
    }

    /// Says, once, why a section changes nothing.
    static func sayHowToOptIn(at sourceLocation: SourceLocation) {
        let isFirst = hasSaidHow.withLock { hasSaid in
            defer { hasSaid = true }
            return !hasSaid
        }
        guard isFirst else { return }
        let place = "\(ProcessRun.shared.relative(sourceLocation.path)):\(sourceLocation.line)"
        say(
            "flaky at \(place) changes nothing, because it runs in no task of a test that has opted in; "
                + "to opt in, mark the suite: @Suite(.retryable)"
        )
    }

    private static let hasSaidHow = Locked(false)
}
