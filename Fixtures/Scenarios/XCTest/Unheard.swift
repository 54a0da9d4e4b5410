import Retryable

/// Has something to say on standard error, which takes nothing any more, as on a full disk.
class Unheard: RetryableTestCase {
    override class func setUp() {
        let full = open("/dev/full", O_WRONLY)
        dup2(full, STDERR_FILENO)
        close(full)
    }

    /// A step that needs a retry is told of at once.
    func testStep() {
        var tries = 0
        autoRetry(mainAction: { tries += 1 }, successCondition: { tries > 1 })
    }

    func testFlakes() {}

    /// So is a flake that comes too late for the test's own line.
    override func tearDown() {
        guard name.hasSuffix("testFlakes") else { return }
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
    }
}

/// Has something to say on standard error, which is a pipe that nobody reads any more.
final class LeftAlone: Unheard {
    override class func setUp() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return }
        dup2(ends[1], STDERR_FILENO)
        ends.forEach { close($0) }
    }
}
