import Foundation

/// A value that several threads share, and reach under its lock only.
///
/// Inlined where it is used: every section takes its attempt's lock twice.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    // Safe to send: `value` is only ever touched between `pthread_mutex_lock` and `pthread_mutex_unlock`. A pthread
    // mutex, because each attempt of each test has a lock, and Foundation's `NSLock` is three such objects on Linux.
    // The thread sanitizer does not see Synchronization's `Mutex`, and would report races in users' tests.
    @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
    /// Exclusivity is not checked at run time, because the lock ensures it and the check costs more than the lock.
    @exclusivity(unchecked) @usableFromInline
    var value: Value

    package init(_ value: sending Value) {
        self.value = value
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Runs `body` with the value, while no other thread can.
    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value)
    }
}

/// Waits on the main thread while what is queued there runs, as XCTest's own waits do.
///
/// Returns early where the run loop cannot run, which is inside a block of the main queue.
package func runMainLoop(until deadline: DispatchTime, unless isOver: () -> Bool = { false }) {
    while !isOver() {
        // Measured on the monotonic clock: the wall clock can jump, for example on CI.
        let left = Double(deadline.uptimeNanoseconds) - Double(DispatchTime.now().uptimeNanoseconds)
        guard left > 0, RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: left / 1e9)) else { return }
    }
}
