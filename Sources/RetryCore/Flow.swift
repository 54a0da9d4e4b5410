import Groundwork

/// What runs one line of a test after the other: a task, or a thread that runs none.
enum Flow {
    case task(UnsafeCurrentTask)  // to be compared, and nothing else: the task may have ended
    case thread(pthread_t)

    /// The flow that this is asked in.
    static var here: Flow {
        withUnsafeCurrentTask { $0.map(task) } ?? .thread(pthread_self())
    }

    var isTask: Bool {
        if case .task = self { true } else { false }
    }

    static func == (one: Flow, other: Flow) -> Bool {
        switch (one, other) {
        case (.task(let one), .task(let other)): one == other
        case (.thread(let one), .thread(let other)): pthread_equal(one, other) != 0
        default: false
        }
    }
}
