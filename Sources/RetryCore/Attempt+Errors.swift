/// The errors that have left sections of an attempt, by the box that each is in.
///
/// `throw error` passes on the box, a new throw makes another, even of an equal error or of the same object. Keeping an
/// error keeps its box from being reused.
struct ErrorsThatLeft {
    /// A box's address.
    private typealias Box = UInt

    private struct Entry {
        let error: any Error
        /// The indices of the sections that the error has left, innermost first.
        var sections: [Int] = []
        var phase: Attempt.Phase
    }

    private var entries: [Box: Entry] = [:]
    private var last: Box?

    /// - Parameter section: The index of a section; `nil` for an error that stops a test.
    mutating func note(_ error: any Error, leaving section: Int?, in phase: Attempt.Phase) {
        let error = Self.innermost(error)
        let box = address(of: error)
        last = box
        var entry = entries[box] ?? Entry(error: error, phase: phase)
        entry.phase = phase
        if let section, !entry.sections.contains(section) { entry.sections.append(section) }
        entries[box] = entry
    }

    /// The sections that an error has left; none if it is in a new box.
    func sections(leftBy error: any Error) -> EnclosingSections {
        EnclosingSections(indices: entries[address(of: Self.innermost(error))]?.sections ?? [])
    }

    /// The last error that left a section, if it did in this phase.
    func last(in phase: Attempt.Phase) -> (any Error)? {
        last.flatMap { entries[$0] }.flatMap { $0.phase == phase ? $0.error : nil }
    }

    /// All errors that left a section outside of the test method, as far as the framework shows where that ends.
    var outsideOfMethod: [any Error] { entries.values.filter { $0.phase != .method }.map(\.error) }

    /// The error in the innermost box: continuations, and what is built on them, put the box they are given into another.
    static func innermost(_ error: any Error) -> any Error {
        func content<E: Error>(_ error: E) -> (any Error)? {
            // The cast goes through `Any`, because a plain conversion would make a new box each time.
            E.self == (any Error).self ? (error as Any) as? any Error : nil
        }
        var error = error
        while let inner = _openExistential(error, do: content) { error = inner }
        return error
    }

    /// Keeps an error in its box. (Passed to a generic function, it would be taken out of it.)
    private struct Holder {
        let error: any Error
    }

    private func address(of error: any Error) -> Box { unsafeBitCast(Holder(error: error), to: Box.self) }
}

extension Attempt {
    /// Notes an error that leaves a section.
    package func note(_ error: any Error, leaving section: OpenSection) {
        state.withLock { $0.errors.note(error, leaving: section.index, in: $0.phase) }
    }

    /// The error that stops a test which has flaked and should stop at its first failure.
    package func makeStop() -> any Error {
        let stop: any Error = StoppedAfterFlake()
        state.withLock { $0.errors.note(stop, leaving: nil, in: $0.phase) }
        return stop
    }

    /// The sections that an error which ended a test, or a part of it, has left on its way.
    package func sections(leftBy error: any Error) -> EnclosingSections {
        state.withLock { $0.errors.sections(leftBy: error) }
    }

    /// The last error that left a section in the current phase; it may have been caught since.
    ///
    /// Of an error that ends `setUp` or `tearDown`, XCTest gives only the text, which is compared with this one's.
    package var lastErrorOfPhase: (any Error)? { state.withLock { $0.errors.last(in: $0.phase) } }

    /// Releases the errors while a failure still counts, which the `deinit` of one may record.
    package func releaseErrors() {
        let errors = state.withLock { state in
            defer { state.errors = ErrorsThatLeft() }
            return state.errors
        }
        withExtendedLifetime(errors) {}  // not under the lock, which a failure takes
    }

    /// The errors that have left sections outside of the test method.
    package var errorsOutsideOfMethod: [any Error] { state.withLock { $0.errors.outsideOfMethod } }
}

/// Thrown by `flaky` to end a test that has flaked and should stop at its first failure.
package struct StoppedAfterFlake: Error, CustomStringConvertible {
    package init() {}

    package var description: String { "the test has flaked and continueAfterFailure is false" }
}

extension Error {
    /// The error without the boxes that continuations and streams put around it.
    package var innermost: any Error { ErrorsThatLeft.innermost(self) }
}
