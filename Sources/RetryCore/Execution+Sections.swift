extension Execution {
    /// Runs a section.
    package func run<Result>(
        _ mark: Flakiness,
        file: StaticString,
        line: UInt,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let section = open(mark, file: file, line: line)
        defer { close(section) }
        do {
            return try Section.$current.withValue(section, operation: body)
        } catch {
            note(error, leaving: section)
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
        let section = open(mark, file: file, line: line)
        defer { close(section) }
        do {
            return try await Section.$current.withValue(section, operation: body)
        } catch {
            note(error, leaving: section)
            throw error
        }
    }

    private func open(_ mark: Flakiness, file: StaticString, line: UInt) -> Section {
        let section = Section(mark, file: file, line: line)
        state.withLock { $0.openSections.append(section) }
        return section
    }

    private func close(_ section: Section) {
        state.withLock { state in
            if state.openSections.last === section {
                state.openSections.removeLast()
            } else {
                state.openSections.removeAll { $0 === section }
            }
        }
    }
}

extension Execution.State {
    /// The sections of `execution` that a failure which is recorded here and now is inside of, innermost first.
    ///
    /// They are those of the current task. Where there is no task, as on the queues that XCTest's waiters and many
    /// callbacks use, they are those that the test has open. A section that has been left is nobody's any more.
    func sectionsHere() -> [Section] {
        if let current = Section.current {
            return sequence(first: current, next: \.outer).filter { section in
                openSections.contains { $0 === section }
            }
        }
        let isInTask = withUnsafeCurrentTask { $0 != nil }
        return isInTask ? [] : openSections.reversed()
    }
}
