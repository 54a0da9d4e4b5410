import XCTest

/// The tests of one class that are retried in one round, between the class's own `setUp` and `tearDown`.
final class RetryClassSuite: XCTestSuite {
    private let testClass: XCTestCase.Type

    init(_ group: [QueuedTest]) {
        testClass = group.first?.testClass ?? XCTestCase.self
        super.init(name: "\(testClass)")
        group.forEach { addTest($0.make()) }
    }

    override func setUp() {
        testClass.setUp()
    }

    override func tearDown() {
        testClass.tearDown()
        // A subclass can override the methods by which XCTest performs a test, so a test may not have run.
        for case let retry as RetryableTestCase in tests { retry.stopRun() }
    }
}
