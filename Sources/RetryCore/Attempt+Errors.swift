extension Attempt {
    /// An error on its way out of the test, and the sections that it has left, innermost first.
    struct Escape {
        var error: any Error
        var sections: [Section]
    }

    /// Takes note of an error that leaves a section, which is open still.
    func note(_ error: any Error, leaving id: Section.ID) {
        let forgotten = state.withLock { state -> Escape? in
            guard let section = state.openSections.last(where: { $0.id == id }) else { return nil }
            if let index = state.escapes.lastIndex(where: { isSameThrow($0.error, error) }) {
                state.escapes[index].sections.append(section)
            } else {
                // A test that catches what it throws, thousands of times, is not to be remembered for ever.
                defer { state.escapes.append(Escape(error: error, sections: [section])) }
                if state.escapes.count == 64 { return state.escapes.removeFirst() }
            }
            return nil
        }
        // Let go of outside of the lock: an error may be of a class whose end records a failure.
        withExtendedLifetime(forgotten) {}
    }

    /// The sections that `error` has left, innermost first; none if it is another throw than those that left one.
    package func sectionsLeft(by error: any Error) -> [Section] {
        let escapes = state.withLock { $0.escapes }
        return escapes.last { isSameThrow($0.error, error) }?.sections ?? []
    }

    /// The sections left by an error of which only the text is known; none if the last that left one reads otherwise.
    package func sectionsLeft(byErrorThatReads text: String) -> [Section] {
        guard let escape = state.withLock({ $0.escapes.last }), "\(escape.error)" == text else { return [] }
        return escape.sections
    }

    /// The sections that an error has left inside of an assertion which tells of it:
    /// `XCTAssertEqual(try flaky(…) { try fetch() }, 3)`.
    ///
    /// - Parameters:
    ///   - description: What the assertion says.
    ///   - place: Where the assertion is: a section in it cannot begin before it.
    package func sectionsLeft(byErrorToldIn description: String, at place: Place) -> [Section] {
        guard let escape = state.withLock({ $0.escapes.last }), let section = escape.sections.last,
            section.place.file == place.file, section.place.line >= place.line,
            description.contains("threw error \"\(escape.error)\"")
        else { return [] }
        return escape.sections
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

/// Whether two errors are one throw, and not only equal: `throw error` passes the box along that an error lives in,
/// where a new `throw` makes a new one. (The first of the two is held on to, so that its box cannot be used again.)
///
/// A class's instance is itself in any box.
private func isSameThrow(_ first: any Error, _ second: any Error) -> Bool {
    if BoxedError(error: first).address == BoxedError(error: second).address { return true }
    guard type(of: first) is AnyClass, type(of: second) is AnyClass else { return false }
    return first as AnyObject === second as AnyObject
}

/// An error as it is passed along. (An error handed to a generic function would be taken out of its box.)
private struct BoxedError {
    let error: any Error

    var address: UInt { unsafeBitCast(self, to: UInt.self) }
}
