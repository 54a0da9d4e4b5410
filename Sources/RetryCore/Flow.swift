import Groundwork

/// What runs one line of a test after the other: a task, or a thread that runs none.
enum Flow: Equatable {
    /// The task's address: to be compared and nothing else, for the task may have ended. An address, because the compiler does
    /// not know the size of `UnsafeCurrentTask`, and would reach whatever holds one by way of the runtime.
    case task(UnsafeRawPointer)
    case thread(pthread_t)

    /// The flow that this is asked in.
    static var here: Flow {
        let task = withUnsafeCurrentTask { unsafeBitCast($0, to: UnsafeRawPointer?.self) }
        return task.map(Flow.task) ?? .thread(pthread_self())
    }

    var isTask: Bool {
        if case .task = self { true } else { false }
    }
}
