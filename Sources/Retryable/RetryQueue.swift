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
        didAdd?(test.previousFlake)
    }

    /// Called with each test that is added. Set at most once, before the first test.
    nonisolated(unsafe) static var didAdd: ((PreviousFlake) -> Void)?

    /// Takes the tests of one round. A process that goes on where another has died may have those of two rounds in its queue.
    ///
    /// - Returns: A group for each class, in the order in which the classes ran, with its tests in the order in which they ran.
    ///   No two classes' fixtures are then ever open at once.
    static func takeRound() -> [[QueuedTest]] {
        let tests = queue.withLock { queue in
            let round = queue.map(\.previousFlake.retryCount).min()
            defer { queue.removeAll { $0.previousFlake.retryCount == round } }
            return queue.filter { $0.previousFlake.retryCount == round }
        }
        let groups = Dictionary(grouping: tests.enumerated()) { ObjectIdentifier($0.element.testClass) }.values
        return groups.sorted { $0[0].offset < $1[0].offset }.map { $0.map(\.element) }
    }
}
