import XCTest

/// The run of one attempt. XCTest makes it, starts it and stops it, and no subclass of a test can replace it.
class AttemptRun: XCTestCaseRun {
    var retryable: RetryableTestCase? { test as? RetryableTestCase }

    override func start() {
        retryable?.begin()
        super.start()
    }

    override func stop() {
        retryable?.settle(self)
        super.stop()
        retryable?.conclude(self)
    }
}
