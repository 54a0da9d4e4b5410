import RetryCore
import Testing

@Suite("The order that a seed chooses")
struct TaskOrderTests {
    /// The order in which three tasks finish that are ready together, in two steps each.
    private func order(seed: Int) -> [UInt64] {
        var (order, steps, finished) = (TaskOrder(seed: seed), [1: 2, 2: 2, 3: 2] as [UInt64: Int], [UInt64]())
        while !steps.isEmpty {
            let tasks = steps.keys.sorted()
            let task = tasks[order.next(of: tasks)]
            steps[task] = steps[task].flatMap { $0 > 1 ? $0 - 1 : nil }
            if steps[task] == nil { finished.append(task) }
        }
        return finished
    }

    @Test("a seed makes the same choices each time, and other seeds make others")
    func seeds() {
        let orders = (0..<60).map { order(seed: $0) }
        #expect(orders == (0..<60).map { order(seed: $0) })
        #expect(Set(orders).count == 6)
    }

    @Test("the choices with a seed are the same in every release and on every system")
    func stable() {
        var order = TaskOrder(seed: 17)
        let tasks: [UInt64] = Array(1...5)
        let choices = (0..<60).map { _ in order.next(of: tasks) }
        var runs: [Int] = []
        for choice in choices where choice != runs.last { runs.append(choice) }
        #expect(runs == [0, 1, 3])
    }

    @Test(
        "a task that has begun goes on, but for two steps at which it falls behind, until it is another's turn",
        arguments: 0..<20
    )
    func changes(seed: Int) {
        var order = TaskOrder(seed: seed)
        let choices = (0..<199).map { _ in order.next(of: [1, 2, 3]) }
        #expect(order.next(of: [1, 2, 3]) == 0, "the first to come has waited longest")
        #expect(zip(choices, choices.dropFirst()).count { $0 != $1 } <= 2)
        #expect(Set(choices.dropFirst(60)).count == 1)
    }

    @Test("a task that comes later takes its place by its priority")
    func late() {
        let choices = (0..<100).map { seed in
            var order = TaskOrder(seed: seed)
            _ = order.next(of: [1])
            return order.next(of: [1, 2])
        }
        #expect((30...70).contains(choices.reduce(0, +)))
    }
}
