import Groundwork
import RetryCore
import XCTest

/// A test that is to be run again.
struct QueuedTest {
    var testClass: XCTestCase.Type
    /// Makes the test again, for its next attempt.
    var make: () -> XCTestCase
}

/// The tests that flaked and wait for their next attempt.
enum RetryQueue {
    private static let queue = Locked<[QueuedTest]>([])

    static func add(_ test: QueuedTest) {
        queue.withLock { $0.append(test) }
    }

    /// Takes what is to be run in one round: a group for each class, in the order in which the classes ran, with its
    /// tests in the order in which they ran. No two classes' fixtures are then ever open at once.
    static func takeRound() -> [[QueuedTest]] {
        let tests = queue.withLock { queue in
            defer { queue.removeAll() }
            return queue
        }
        var groups: [[QueuedTest]] = []
        var indices: [ObjectIdentifier: Int] = [:]
        for test in tests {
            let testClass = ObjectIdentifier(test.testClass)
            if let index = indices[testClass] {
                groups[index].append(test)
            } else {
                indices[testClass] = groups.count
                groups.append([test])
            }
        }
        return groups
    }
}
