extension Attempt {
    /// An error on its way out of the test, and the sections that it has left, innermost first.
    struct Escape {
        var error: ThrownError
        var sections: [Section]
    }

    /// Takes note of an error that leaves a section, which is open still.
    func remember(_ error: any Error, leaving id: OpenSection.ID) {
        remember(error) { state in state.openSections.last { $0.id == id }.map(state.section) }
    }

    /// What stops a test that has flaked and should stop at its first failure.
    package func makeStop() -> any Error {
        let stop: any Error = StoppedAfterFlake()
        remember(stop) { _ in nil }
        return stop
    }

    private func remember(_ error: any Error, leaving section: (State) -> Section?) {
        let forgotten = state.withLock { state -> Escape? in
            state.hasMovedOn = false
            let left = section(state).map { [$0] } ?? []
            if let index = state.escapes.lastIndex(where: { $0.error.isSameThrow(as: error) }) {
                var escape = state.escapes.remove(at: index)
                escape.sections += left
                state.escapes.append(escape)
                return nil
            }
            // A test that catches what it throws, thousands of times, is not to be remembered for ever. 64 is far more than
            // can be on their way out at a time.
            defer { state.escapes.append(Escape(error: ThrownError(error), sections: left)) }
            return state.escapes.count == 64 ? state.escapes.removeFirst() : nil
        }
        // Let go of outside of the lock: an error may be of a class whose end records a failure.
        withExtendedLifetime(forgotten) {}
    }

    /// The sections that `error` has left, innermost first; none if it is another throw than those that left one.
    package func sectionsLeft(by error: any Error) -> [Section] {
        state.withLock { state in
            state.escapes.last { $0.error.isSameThrow(as: error) }?.sections ?? []
        }
    }

    /// What XCTest tells of, where it tells of an error by its text alone.
    package enum Told: Sendable {
        /// The error that left these sections last, innermost first.
        case error([Section])
        /// What stops a test after a flake.
        case stop
    }

    /// The error of this attempt that XCTest tells of; `nil` if it is none of those that left a section, or if that is not
    /// certain.
    ///
    /// - Parameters:
    ///   - place: The assertion that tells of it; `nil` if the error ended set up or tear down.
    ///   - isTold: Whether what XCTest says is what it would say of an error.
    package func errorTold(at place: Place?, _ isTold: (any Error) -> Bool) -> Told? {
        var told = ToldError()
        told.readsAlike = isLastError(isTold)
        return state.withLock { state in
            guard let last = state.escapes.indices.last else { return nil }
            let sections = state.escapes[last].sections
            told.isLast = !state.hasMovedOn
            told.isStillAround = state.escapes[last].error.isHeldElsewhere()
            told.isInCall = place.map { sections.last?.place.isIn(callAt: $0) ?? false } ?? true
            guard told.isCertain else { return nil }
            return state.escapes[last].error.isStop ? .stop : .error(sections)
        }
    }

    /// Not asked under the lock, because what an error says of itself is a user's code. The copy that is asked is gone when
    /// this returns.
    private func isLastError(_ isTold: (any Error) -> Bool) -> Bool {
        state.withLock { $0.escapes.last?.error.error }.map(isTold) ?? false
    }

    /// Whether an error has left a section; the test may have caught it since.
    package var hasEscapedError: Bool { state.withLock { !$0.escapes.isEmpty } }

    /// Forgets the errors that have left sections so far: whatever is thrown next is another one.
    package func forgetErrors() {
        let forgotten = state.withLock { state in
            defer { state.escapes = [] }
            return state.escapes
        }
        withExtendedLifetime(forgotten) {}  // as above
    }
}

/// All that is known of an error that XCTest tells of by its text alone, beside the error that left a section last.
package struct ToldError: Hashable, Sendable {
    /// Whether the text is that of the error that left a section.
    package var readsAlike = true
    /// Whether nothing else has happened in the test since: no section was opened, nothing failed.
    package var isLast = true
    /// Whether the error that left the section still exists. One that the test has caught is gone as soon as the test lets go
    /// of it, and then somebody else has thrown what XCTest tells of.
    package var isStillAround = true
    /// For an error that an assertion tells of: whether the section stands in the assertion's call, as far as file and line
    /// say. Others have ended set up or tear down.
    package var isInCall = true

    package init() {}

    /// Whether it is that error. When in doubt, it is not, and the failure is real.
    package var isCertain: Bool { readsAlike && isLast && isStillAround && isInCall }
}
