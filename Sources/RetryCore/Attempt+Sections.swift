extension Attempt {
    /// Runs a section.
    package func run<Result>(
        _ mark: Flakiness,
        at site: CallSite,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let (id, isAlone) = open(mark, at: site)
        defer { close(id) }
        do {
            if isAlone { return try CurrentSections.$innermost.withValue(id, operation: body) }
            return try CurrentSections.$around.withValue(CurrentSections.all) {
                try CurrentSections.$innermost.withValue(id, operation: body)
            }
        } catch {
            remember(error, leaving: id)
            throw error
        }
    }

    /// Runs a section that suspends, on the caller's actor.
    package func run<Result>(
        _ mark: Flakiness,
        at site: CallSite,
        isolation: isolated (any Actor)?,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let (id, isAlone) = open(mark, at: site)
        defer { close(id) }
        do {
            if isAlone { return try await CurrentSections.$innermost.withValue(id, operation: body) }
            return try await CurrentSections.$around.withValue(CurrentSections.all) {
                // The actor is passed on so that the closure stays on it; otherwise the actor's other work could run first.
                try await CurrentSections.$innermost.withValue(id, operation: body, isolation: isolation)
            }
        } catch {
            remember(error, leaving: id)
            throw error
        }
    }

    /// - Returns: The section's number, and whether it is the only one that is open.
    private func open(_ mark: Flakiness, at site: CallSite) -> (id: OpenSection.ID, isAlone: Bool) {
        let here = TaskOrThread.here
        return state.withLock { state in
            if state.lastSection == 0 { state.lastSection = OpenSection.startOfNumbers() }
            state.lastSection += 1
            if state.adoptsNextTask, here.isTask {
                state.ownFlow = here
                state.adoptsNextTask = false
            }
            let section = OpenSection(
                id: state.lastSection,
                entered: state.enter(mark, at: site),
                isInOwnFlow: state.ownFlow == here
            )
            state.openSections.append(section)
            state.hasMovedOn = true
            if let witness { witness.changeSections(to: state.openNow, of: self) }
            return (section.id, state.openSections.count == 1)
        }
    }

    private func close(_ id: OpenSection.ID) {
        state.withLock { state in
            if state.openSections.last?.id == id {
                state.openSections.removeLast()
            } else {
                state.openSections.removeAll { $0.id == id }
            }
            if let witness { witness.changeSections(to: state.openNow, of: self) }
        }
    }
}

extension Attempt.State {
    func section(_ open: OpenSection) -> Section { entered[open.entered].section }

    /// The sections that are open, in the order in which they were opened.
    var openNow: [Section] { openSections.map(section) }

    /// The sections that a failure which is recorded here and now is inside of, innermost first.
    func sectionsHere() -> [Section] {
        openSections.isEmpty ? [] : enclosingSections(of: CurrentSections.all, in: .here).map(section)
    }

    /// The open sections that a failure is inside of, innermost first.
    ///
    /// For a task, and for the thread that runs the test, the sections are known. Elsewhere, as on the queues of
    /// XCTest's waiters and of many callbacks, the likely cause is something that the test's own flow has begun, so its
    /// open sections count. Those that some other task or queue has open do not.
    ///
    /// - Parameters:
    ///   - current: The sections of the task, or of the thread where there is no task, innermost first. Some may have been
    ///     left since.
    ///   - flow: What the failure is recorded in.
    func enclosingSections(of current: [OpenSection.ID], in flow: TaskOrThread) -> [OpenSection] {
        let here = current.compactMap { id in openSections.first { $0.id == id } }
        if flow.isTask || flow == ownFlow { return here }
        return here + openSections.reversed().filter { $0.isInOwnFlow && !current.contains($0.id) }
    }
}

// MARK: - The test's own flow

extension Attempt {
    /// Takes the caller's flow for the one that runs the test: `setUp`, the test method and `tearDown`.
    package func belongHere() {
        let here = TaskOrThread.here
        state.withLock { $0.ownFlow = here }
    }

    /// For a test method that suspends, where its task is not known: the first task that opens a section is taken for it.
    package func adoptNextTask() {
        state.withLock { $0.adoptsNextTask = true }
    }

    /// Runs a test method that suspends, in the task that this is called in: the test's own while the method runs.
    package func inOwnTask<Result>(_ method: () async throws -> Result) async rethrows -> Result {
        let before = state.withLock { $0.ownFlow }
        belongHere()
        defer { state.withLock { $0.ownFlow = before } }
        return try await method()
    }
}
