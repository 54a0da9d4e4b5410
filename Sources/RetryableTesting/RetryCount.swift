import RetryCore

/// How many attempts of the running test case came before the current one: 0 on the first.
///
/// ```swift
/// @Test func uploads() throws {
///     let folder = try Folder(named: "upload-\(retryCount)")  // the last attempt's leftovers are not in the way
/// }
/// ```
///
/// It is known in the tasks of a test that is marked `.retryable`. A detached task or a thread of your
/// own belongs to no test and reads 0: read it before you go there.
public var retryCount: Int { Attempt.current?.retryCount ?? 0 }

extension Attempt {
    /// The attempt that a task is part of; `nil` in tests that did not opt in, in detached tasks, and on threads that
    /// run no task.
    @TaskLocal static var current: Attempt?
}
