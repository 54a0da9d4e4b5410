/// All that decides which sections a failure is inside of.
package struct EnclosingSections: Hashable, Sendable {
    /// The sections that the task is in, or the thread where there is no task: innermost first, those included that have
    /// been left since.
    package var around: [OpenSection.ID] = []
    /// Whether the failure is recorded in a task.
    package var isInTask = false
    /// Whether it is recorded in the test's own flow: what runs the test method.
    package var isInOwnFlow = false
    /// The sections of the attempt that are open, in the order in which they were opened.
    package var open: [OpenSection.ID] = []
    /// Those that the test's own flow has opened.
    package var openInOwnFlow: [OpenSection.ID] = []

    package init() {}

    /// The sections that the failure is inside of, innermost first.
    ///
    /// A task knows its sections, and so does the thread that runs the test. Elsewhere, as on the queues of XCTest's waiters
    /// and of many callbacks, something that the test's own flow has begun is the likely cause. What some other task or
    /// queue has open claims nothing there.
    package var sections: [OpenSection.ID] {
        let here = around.filter(open.contains)
        if isInTask || isInOwnFlow { return here }
        return here + openInOwnFlow.reversed().filter { !here.contains($0) }
    }
}
