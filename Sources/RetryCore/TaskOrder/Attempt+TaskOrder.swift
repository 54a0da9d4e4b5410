import RetryReport

extension ProcessContext {
    /// Whether a seed orders tasks. If one does, all tasks of the process go to the queue from the first call on.
    @discardableResult
    package func ordersTasks() -> Bool { settings.taskSeed != nil && JobQueue.isInUse }
}

extension Attempt {
    package func beginTaskOrder() async {
        if let seed = takeSeed() { await JobQueue.shared.begin(seed: seed) }
    }

    package func beginTaskOrderOnMainThread() {
        if let seed = takeSeed() { JobQueue.shared.beginOnMainThread(seed: seed) }
    }

    package func endTaskOrder() {
        if taskSeed != nil { taskSeed = JobQueue.shared.end() }
    }

    private func takeSeed() -> Int? {
        guard process.ordersTasks(), let first = process.settings.taskSeed else { return nil }
        taskSeed = TaskSeed(seed: first + retryCount)
        return taskSeed?.seed
    }
}
