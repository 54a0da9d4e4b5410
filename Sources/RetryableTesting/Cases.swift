import Foundation
import Groundwork
import RetryCore
import Testing

/// The name of one case of a test in the report: Swift Testing's own name for the test, then the arguments.
///
/// `Login/signsIn()`, `Login/signsIn(user:) ["ada"]`, `Login/pays(user:amount:) ["ada", 12]`.
enum CaseName {
    static func of(_ test: Test, _ testCase: Test.Case?) -> TestName {
        let id = test.id
        let name = id.nameComponents.joined(separator: "/")
        guard test.isParameterized, let testCase else {
            return numbered(TestName(name, module: id.moduleName), unless: "\(test.sourceLocation)")
        }
        let arguments = CaseArguments(of: testCase)
        let named = TestName(arguments.map { "\(name) [\($0.shown)]" } ?? name, module: id.moduleName)
        return numbered(named, unless: arguments.map { "\(test.sourceLocation) \($0.identity)" })
    }

    /// Two cases whose arguments have the same description are two tests: the second one that flakes gets a number.
    private static func numbered(_ name: TestName, unless identity: String?) -> TestName {
        let index = known.withLock { known -> Int in
            let others = known[name, default: []]
            if let identity, let index = others.firstIndex(of: identity) { return index }
            known[name] = others + [identity]
            return others.count
        }
        return index == 0 ? name : TestName("\(name.name) #\(index + 1)", module: name.module)
    }

    private static let known = Locked<[TestName: [String?]]>([:])
}

/// The retryable suites and test cases that have begun and not ended, and what a process does before the first and after the
/// last of them.
enum TestsInProgress {
    /// Reads the environment and puts the report in place; ends the process with exit code 2 if it cannot.
    static func watch() {
        // Before the exit is watched: should this end the process, `finish` must not run for a run that has not begun.
        if ProcessRun.shared.begin() {
            ProcessRun.shared.warnUnsupervised(
                "Swift Testing runs all tests in one process, which a crash ends; for hangs, it has .timeLimit"
            )
        }
        _ = isWatched
    }

    /// Swift Testing has no event for the end of its run, but its process then calls `exit`.
    private static let isWatched: Void = EarlyExit.watch({ unfinished }) {
        RetryLoop.reportLateFailures()
        ProcessRun.shared.finish()
        // A test that is not retryable may have called `exit(0)` after one that has failed.
        guard ProcessRun.shared.report.hasFailures else { return }
        fflush(nil)
        _exit(1)
    }

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
    private static var unfinished: [String] {
        let all = underWay.withLock { $0.tests.values.map { $0 } }
        let tests = all.filter { !$0.test.isSuite }
        return (tests.isEmpty ? all : tests).map { CaseName.of($0.test, $0.testCase).name }.sorted()
    }
}
