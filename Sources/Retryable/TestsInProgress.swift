import Groundwork
import XCTest

/// The suites and test cases that are running, outermost first.
enum TestsInProgress {
    private static let running = Locked<[XCTest]>([])

    static func start(_ test: XCTest) {
        running.withLock { $0.append(test) }
        SeenXCTest.isRunning.withLock { $0 = true }
    }

    /// Also ends all that began after it, whose ends were not reported.
    static func finish(_ test: XCTest) {
        running.withLock { running in
            if let index = running.lastIndex(where: { $0 === test }) { running.removeSubrange(index...) }
            SeenXCTest.isRunning.withLock { [isOver = running.isEmpty] in $0 = !isOver }
        }
    }

    static var outermostSuite: XCTestSuite? { running.withLock { $0.first { $0 is XCTestSuite } as? XCTestSuite } }

    /// The test case that has begun last and not ended.
    static var test: XCTestCase? { running.withLock { $0.last { $0 is XCTestCase } as? XCTestCase } }

    /// The name of the test that has begun last and not ended; of a suite, if no test is running.
    static var unfinished: [String] { (test ?? running.withLock(\.last)).map { [$0.name] } ?? [] }

    /// A suite runs, and no test. Only a test that begins now can be run again after everything else.
    ///
    /// The suite's own list does not show this, because XCTest may run instances that are not in it.
    static var hasOnlySuites: Bool {
        running.withLock { running in !running.isEmpty && !running.contains { $0 is XCTestCase } }
    }
}
