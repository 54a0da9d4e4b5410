/// All that decides which sections a failure is inside of.
package struct EnclosingSections: Hashable, Sendable {
    /// The sections of the task, or of the thread where there is no task, innermost first. Some may have been left since.
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
    /// For a task, and for the thread that runs the test, the sections are known. Elsewhere, as on the queues of
    /// XCTest's waiters and of many callbacks, the likely cause is something that the test's own flow has begun, so its
    /// open sections count. Those that some other task or queue has open do not.
    package var sections: [OpenSection.ID] {
        let here = around.filter(open.contains)
        if isInTask || isInOwnFlow { return here }
        return here + openInOwnFlow.reversed().filter { !here.contains($0) }
    }
}
