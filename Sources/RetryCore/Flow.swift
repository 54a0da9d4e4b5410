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

/// All that decides which sections a failure is inside of.
package struct Whereabouts: Hashable, Sendable {
    /// The sections that the task is in, or the thread where there is no task: innermost first, those included that have
    /// been left since.
    package var around: [Section.ID] = []
    /// Whether the failure is recorded in a task.
    package var isInTask = false
    /// Whether it is recorded in the test's own flow: what runs the test method.
    package var isInOwnFlow = false
    /// The sections of the attempt that are open, in the order in which they were opened.
    package var open: [Section.ID] = []
    /// Those that the test's own flow has opened.
    package var openInOwnFlow: [Section.ID] = []

    package init() {}

    /// The sections that the failure is inside of, innermost first.
    ///
    /// A task knows its sections, and so does the thread that runs the test. Elsewhere, as on the queues of XCTest's waiters
    /// and of many callbacks, something that the test's own flow has begun is the likely cause. What some other task or
    /// queue has open claims nothing there.
    package var sections: [Section.ID] {
        let here = around.filter(open.contains)
        if isInTask || isInOwnFlow { return here }
        return here + openInOwnFlow.reversed().filter { !here.contains($0) }
    }
}
