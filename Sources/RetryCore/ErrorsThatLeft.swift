/// The errors that have left sections of an attempt, by the box that each is in.
///
/// `throw error` passes on the box, a new throw makes another, even of an equal error or of the same object. What an error refers to
/// may be checked for leaks before the test ends, so it is kept no longer than need be.
struct ErrorsThatLeft {
    struct ErrorThatLeft {
        fileprivate let box: ErrorBox
        var phase: Attempt.Phase
        /// The sections that the error has left, innermost first.
        var sections: [Section] = []

        /// `nil` once it has been released.
        var error: (any Error)? { box.error }
    }

    /// By the addresses of their boxes, which are used again.
    fileprivate var byAddress: [ObjectIdentifier: ErrorThatLeft] = [:]
    fileprivate var lastAddress: ObjectIdentifier?

    /// - Parameter section: The section; `nil` for an error that stops a test.
    mutating func note(_ error: any Error, leaving section: Section?, in phase: Attempt.Phase) {
        let address = ObjectIdentifier(ErrorBox.object(of: error))
        lastAddress = address
        if self[error] == nil { byAddress[address] = ErrorThatLeft(box: ErrorBox(error), phase: phase) }
        byAddress[address]?.phase = phase
        // A section in a loop is noted once.
        if let section, byAddress[address]?.sections.last != section { byAddress[address]?.sections.append(section) }
    }

    /// The entry of an error; `nil` if it is in a new box.
    subscript(error: any Error) -> ErrorThatLeft? {
        let object = ErrorBox.object(of: error)
        return byAddress[ObjectIdentifier(object)].flatMap { $0.box.object === object ? $0 : nil }
    }
}

extension Attempt {
    package func note(_ error: any Error, leaving section: OpenSection) {
        state.withLock { $0.errors.note(error, leaving: section.section, in: $0.phase) }
    }

    /// Stops a test that has flaked, where `continueAfterFailure = false` would have ended it.
    package func stopIfFlaked() throws {
        guard isToStop else { return }
        let stop: any Error = StoppedAfterFlake()
        state.withLock { $0.errors.note(stop, leaving: nil, in: $0.phase) }
        throw stop
    }

    /// The sections that an error which ended a test, or a part of it, has left on its way.
    package func sections(leftBy error: any Error) -> [Section] {
        state.withLock { $0.errors[error]?.sections ?? [] }
    }

    /// The last error that left a section in the current phase; it may have been caught since.
    ///
    /// Of an error that ends `setUp` or `tearDown`, XCTest gives only the text, which is compared with this one's.
    package var lastErrorOfPhase: (any Error)? {
        state.withLock { state in
            let last = state.errors.lastAddress.flatMap { state.errors.byAddress[$0] }
            return last?.phase == state.phase ? last?.error : nil
        }
    }

    /// Releases the errors of a phase that is over, or all: while failures still count, because the `deinit` of what one refers to
    /// may record one.
    package func releaseErrors(of phase: Phase? = nil) {
        let released = state.withLock { state in
            let released = state.errors.byAddress.filter { phase == nil || $1.phase == phase }
            for address in released.keys { state.errors.byAddress[address] = nil }
            return released
        }
        withExtendedLifetime(released) {}  // outside the lock, which recording a failure takes
    }

    /// The errors that have left a section before or after the test method, as far as its limits are known; `nil` for one that has
    /// been released.
    package var errorsOutsideOfMethod: [(any Error)?] {
        state.withLock { $0.errors.byAddress.values.filter { $0.phase != .method }.map(\.error) }
    }
}

/// Thrown by `flaky` to end a test that has flaked and should stop at its first failure.
package struct StoppedAfterFlake: Error, CustomStringConvertible {
    package var description: String { "the test has flaked and continueAfterFailure is false" }
}

extension Error {
    /// An error of `XCTUnwrap`, whose type is not public. XCTest records it where it is first thrown, and not again when it
    /// ends a test.
    ///
    /// If the type's name changes, such an error counts twice and, on Apple's systems, a retry that is ended by one that was
    /// recorded earlier passes.
    package var isRecordedWhereThrown: Bool { "\(type(of: self))".hasSuffix("ErrorWhileUnwrappingOptional") }
}

/// Returns the error in the innermost box. Continuations, and what is built on them, put the box they are given into another.
package func innermost(_ error: any Error) -> any Error {
    func content<E: Error>(_ error: E) -> (any Error)? {
        // The cast goes through `Any`, because a plain conversion would make a new box each time.
        E.self == (any Error).self ? (error as Any) as? any Error : nil
    }
    var error = error
    while let inner = _openExistential(error, do: content) { error = inner }
    return error
}
