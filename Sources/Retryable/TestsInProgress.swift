import Foundation
import Groundwork
import RetryCore
import XCTest

/// The suites and test cases that are running, outermost first.
enum TestsInProgress {
    private static let running = Locked<[XCTest]>([])

    /// - Returns: Whether no suite runs around it.
    @discardableResult
    static func start(_ test: XCTest) -> Bool {
        running.withLock { running in
            defer { running.append(test) }
            return !running.contains { $0 is XCTestSuite }
        }
    }

    /// Also ends all that began after it, whose ends were not reported.
    ///
    /// - Returns: Whether no suite runs around it.
    @discardableResult
    static func finish(_ test: XCTest) -> Bool {
        running.withLock { running in
            if let index = running.lastIndex(where: { $0 === test }) { running.removeSubrange(index...) }
            return !running.contains { $0 is XCTestSuite }
        }
    }

    static func isOutermost(_ suite: XCTestSuite) -> Bool {
        running.withLock { $0.first { $0 is XCTestSuite } === suite }
    }

    /// The test case that has begun last and not ended.
    static var test: XCTestCase? { running.withLock { $0.last { $0 is XCTestCase } as? XCTestCase } }

    /// The name of the test that has begun last and not ended; of a suite, if no test is running.
    static var unfinished: [String] {
        let running = running.withLock { $0 }
        return (running.last { $0 is XCTestCase } ?? running.last).map { [$0.name] } ?? []
    }

    /// Whether `test` is run by a suite, and not by another test. Only then can it be run again after everything else.
    ///
    /// The suite's list of tests does not tell, because XCTest may run other instances than those in it.
    static func contain(_ test: XCTestCase) -> Bool {
        running.withLock { running in
            let cases = running.filter { $0 is XCTestCase }
            return running.count > 1 && cases.count == 1 && cases.first === test
        }
    }
}

extension TestName {
    /// The name of any test case.
    init(of test: XCTestCase) {
        self.init(of: test.nameOfMethod, in: type(of: test))
        if test.name.hasPrefix("-[") { name = test.name }
    }

    init(of method: String, in testClass: XCTestCase.Type) {
        let path = String(reflecting: testClass)
        let module = path.prefix { $0 != "." }
        // With the types that a class is nested in, but without the context of a private or local type, which is an address.
        let nested = path.dropFirst(module.count + 1)
            .replacingOccurrences(of: #"\(unknown context at [^)]*\)\."#, with: "", options: .regularExpression)
        self.init("-[\(path.contains("<") ? "\(testClass)" : nested) \(method)]", module: String(module))
    }
}

extension XCTestCase {
    /// The part after the class, where the test's name is `Class.test`; else the name.
    var nameOfMethod: String {
        let opening = "\(type(of: self))."
        return name.hasPrefix(opening) ? String(name.dropFirst(opening.count)) : name
    }
}
