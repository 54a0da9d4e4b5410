// error: main actor-isolated class method 'runActivity\(named:block:\)' cannot be called from outside of the actor
import Retryable

/// Runs an activity where only the main actor may.
final class Planted: RetryableTestCase {
    func plant() {
        Task.detached { XCTContext.runActivity(named: "anywhere") { _ in } }
    }
}
