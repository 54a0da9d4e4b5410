import RetryCore

/// What happened to a test before the attempt that is about to run.
struct Story {
    /// What the test is called in the report.
    var test: TestName
    /// How many attempts came before.
    var retryCount: Int
    /// What the attempt before flaked with.
    var flake: Flake
}
