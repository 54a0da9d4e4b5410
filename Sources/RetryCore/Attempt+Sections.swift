extension Attempt {
    /// Runs a section.
    package func run<Result>(
        _ mark: Flakiness,
        file: StaticString,
        line: UInt,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let (id, isAlone) = open(mark, file: file, line: line)
        defer { close(id) }
        do {
            if isAlone { return try CurrentSections.$innermost.withValue(id, operation: body) }
            return try CurrentSections.$around.withValue(CurrentSections.all) {
                try CurrentSections.$innermost.withValue(id, operation: body)
            }
        } catch {
            note(error, leaving: id)
            throw error
        }
    }

    /// Runs a section that suspends, on the caller's actor.
    package func run<Result>(
        _ mark: Flakiness,
        file: StaticString,
        line: UInt,
        isolation: isolated (any Actor)?,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let (id, isAlone) = open(mark, file: file, line: line)
        defer { close(id) }
        do {
            if isAlone { return try await CurrentSections.$innermost.withValue(id, operation: body) }
            return try await CurrentSections.$around.withValue(CurrentSections.all) {
                // That the closure names the actor keeps it there; else other work of the actor would come in between.
                try await CurrentSections.$innermost.withValue(id, operation: body, isolation: isolation)
            }
        } catch {
            note(error, leaving: id)
            throw error
        }
    }

    /// - Returns: The section's number, and whether it is the only one that is open.
    private func open(_ mark: Flakiness, file: StaticString, line: UInt) -> (id: UInt64, isAlone: Bool) {
        state.withLock { state in
            if state.lastSection == 0 { state.lastSection = Section.startOfNumbers() }
            state.lastSection += 1
            let id = state.lastSection
            state.openSections.append(Section(id: id, mark: mark, file: file, line: line))
            return (id, state.openSections.count == 1)
        }
    }

    private func close(_ id: Section.ID) {
        state.withLock { state in
            if state.openSections.last?.id == id {
                state.openSections.removeLast()
            } else {
                state.openSections.removeAll { $0.id == id }
            }
        }
    }
}

extension Attempt.State {
    /// The sections of `attempt` that a failure which is recorded here and now is inside of, innermost first.
    ///
    /// They are those of the current task. Where there is no task, as on the queues that XCTest's waiters and many
    /// callbacks use, they are those that the test has open. A section that has been left is nobody's any more.
    func sectionsHere() -> [Section] {
        let current = CurrentSections.all
        if !current.isEmpty {
            return current.compactMap { id in openSections.first { $0.id == id } }
        }
        let isInTask = withUnsafeCurrentTask { $0 != nil }
        return isInTask ? [] : openSections.reversed()
    }
}
