import Foundation

extension ProcessExit {
    /// This thread. (On Apple's systems, `pthread_t` is a pointer, which is not sendable.)
    package static var thread: UInt { withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) } }

    /// Whether this thread's exit may be that of a run: of `XCTMain`, of Swift Testing, or of a program's own `main`.
    static var mayEndRun: Bool {
        #if canImport(ObjectiveC)
            true  // Which thread ends a process of Xcode's is not known.
        #else
            Thread.isMainThread || withUnsafeCurrentTask { $0 != nil }
        #endif
    }

    /// Ends the process with code 1, as a failed run does, unless Xcode decides.
    ///
    /// Called in an exit handler. The other handlers run, such as the one that writes the coverage.
    package static func failRun() {
        #if !canImport(ObjectiveC)
            exit(1)
        #endif
    }
}
