extension Attempt {
    /// Takes note of an error that leaves a section. The section is still open.
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
        let forgotten = state.withLock { state -> ThrownError? in
            state.hasMovedOn = false
            let left = section(state).map { [$0] } ?? []
            if let index = state.escapes.lastIndex(where: { $0.isSameThrow(as: error) }) {
                var escape = state.escapes.remove(at: index)
                escape.sections += left
                state.escapes.append(escape)
                return nil
            }
            // Bounded, for tests that throw and catch thousands of errors. 64 is far more than can be on their way out
            // at once.
            defer { state.escapes.append(ThrownError(error: error, sections: left)) }
            return state.escapes.count == 64 ? state.escapes.removeFirst() : nil
        }
        // Released outside of the lock, because an error may be an object whose `deinit` records a failure.
        withExtendedLifetime(forgotten) {}
    }

    /// The sections that `error` has left, innermost first; none if it is another throw than those that left one.
    package func sectionsLeft(by error: any Error) -> [Section] {
        state.withLock { state in
            state.escapes.last { $0.isSameThrow(as: error) }?.sections ?? []
        }
    }

    /// What an error turned out to be of which XCTest gives the text alone.
    package enum MatchedError: Sendable {
        /// The error that was the last to leave a section; these are the sections that it left, innermost first.
        case error([Section])
        /// The one that `flaky` threw to stop the test after a flake.
        case stop
    }

    /// The error of this attempt that XCTest reports by its text, if it is certain to be the one that left a section last.
    ///
    /// It is not certain, and so the failure is real, if the text is another, if a section was opened or something failed
    /// since, if the test has caught the error and released it, or if the section lies outside of the assertion's call, judged
    /// by file and line.
    ///
    /// - Parameters:
    ///   - place: The assertion that reports it; `nil` if the error ended `setUp` or `tearDown`.
    ///   - readsAlike: Whether XCTest's text is what it would say of the error that it is given.
    package func matchedError(at place: Place?, _ readsAlike: (any Error) -> Bool) -> MatchedError? {
        guard isLastError(readsAlike) else { return nil }
        return state.withLock { state in
            guard !state.hasMovedOn, let last = state.escapes.indices.last, state.escapes[last].isHeldElsewhere() else {
                return nil
            }
            let sections = state.escapes[last].sections
            if let place, sections.last?.place.isIn(callAt: place) != true { return nil }
            return state.escapes[last].error is StoppedAfterFlake ? .stop : .error(sections)
        }
    }

    /// Called outside of the lock, because an error's description is a user's code. The copy must be gone when this returns:
    /// `isHeldElsewhere` would count it.
    private func isLastError(_ readsAlike: (any Error) -> Bool) -> Bool {
        state.withLock { $0.escapes.last?.error }.map(readsAlike) ?? false
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
