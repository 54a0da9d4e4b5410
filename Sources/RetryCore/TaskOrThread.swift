import Groundwork

/// What runs code in order, a flow: a task, or a thread that runs no task. A test's own flow is the one that runs its method.
enum TaskOrThread: Equatable {
    /// The task's address, only to be compared, because the task may have ended. Not an `UnsafeCurrentTask`: the
    /// compiler does not know its size, so every access to a value that contains one would go through the runtime.
    case task(UnsafeRawPointer)
    case thread(pthread_t)

    /// The flow that this is asked in.
    static var here: TaskOrThread {
        let task = withUnsafeCurrentTask { unsafeBitCast($0, to: UnsafeRawPointer?.self) }
        return task.map(TaskOrThread.task) ?? .thread(pthread_self())
    }

    var isTask: Bool {
        if case .task = self { true } else { false }
    }
}
