import RetryCore

/// What happened to a test before the attempt that is about to run.
///
/// A class, so that it takes one word in the many tests that have none.
final class PreviousFlake: Sendable {
    /// What the test is called in the report.
    let test: TestName
    /// How many attempts came before.
    let retryCount: Int
    /// What the attempt before flaked with.
    let flake: Flake

    init(test: TestName, retryCount: Int, flake: Flake) {
        self.test = test
        self.retryCount = retryCount
        self.flake = flake
    }
}
