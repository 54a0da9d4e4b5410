import Groundwork
import RetryCore
import XCTest

/// A test that is to be run again.
struct QueuedTest {
    let testClass: XCTestCase.Type
    /// What happened in the attempt before.
    let previousFlake: PreviousFlake
    /// Makes the test again, for its next attempt.
    let make: () -> XCTestCase
}

/// The tests that flaked and wait for their next attempt.
enum RetryQueue {
    private static let queue = Locked<[QueuedTest]>([])

    static func add(_ test: QueuedTest) {
        queue.withLock { $0.append(test) }
        witness?(test.previousFlake)
    }

    /// Called with each test that is added. Set at most once, before the first test.
    nonisolated(unsafe) static var witness: ((PreviousFlake) -> Void)?

    /// Takes the tests of one round. A process that goes on where another has died may have those of two rounds in its queue.
    static func takeRound() -> [[QueuedTest]] {
        grouped(
            queue.withLock { queue in
                let round = queue.map(\.previousFlake.retryCount).min()
                defer { queue.removeAll { $0.previousFlake.retryCount == round } }
                return queue.filter { $0.previousFlake.retryCount == round }
            }
        )
    }

    /// A group for each class, in the order in which the classes ran, with its tests in the order in which they ran. No two
    /// classes' fixtures are then ever open at once.
    private static func grouped(_ tests: [QueuedTest]) -> [[QueuedTest]] {
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
