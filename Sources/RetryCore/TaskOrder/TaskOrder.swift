/// The order in which a seed has tasks run: the same tasks, in the same order. `JobQueue` asks for it, and gives an attempt its seed.
///
/// Each task has a random priority, and of those that are ready, the one with the highest runs; at two random steps, that one falls
/// behind all others. A bug that takes a few events in one order shows with far fewer seeds than if each step were random
/// (Burckhardt and others, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs").
package struct TaskOrder: Sendable {
    private var state: UInt64
    private var priorities: [UInt64: UInt64] = [:]
    private var changes: Set<UInt64> = []
    private var step: UInt64 = 0

    package init(seed: Int) {
        state = UInt64(bitPattern: Int64(seed))
        changes = [random() % 60, random() % 60]  // most tests are over after 60 steps
    }

    /// Chooses one of the tasks that are ready, and returns its index.
    ///
    /// - Parameter tasks: Their numbers, by arrival. Of one that has several jobs, the first is chosen.
    package mutating func next(of tasks: [UInt64]) -> Int {
        // Sorted, so that it does not matter which came first.
        for task in tasks.filter({ priorities[$0] == nil }).sorted() { priorities[task] = random() }
        func first() -> Int {
            tasks.indices.max { priorities[tasks[$0], default: 0] < priorities[tasks[$1], default: 0] } ?? 0
        }
        if tasks.count > 1, changes.contains(step) { priorities[tasks[first()]] = 60 - step }  // the later, the lower
        step += 1
        // Now and then, it is the turn of the one that has waited longest: another may yield until that has run.
        return step % 200 == 0 ? 0 : first()
    }

    /// A random number by SplitMix64, the same in every release and on every system.
    private mutating func random() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let first = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let second = (first ^ (first >> 27)) &* 0x94D0_49BB_1331_11EB
        return second ^ (second >> 31)
    }
}
