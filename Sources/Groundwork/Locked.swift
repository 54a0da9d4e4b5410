/// A value that several threads share, reached only under its lock.
///
/// Inlinable, because every section takes its attempt's lock twice.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    // Safe to send: `value` is only ever touched between `pthread_mutex_lock` and `pthread_mutex_unlock`.
    // A pthread mutex is small, as every attempt has a lock: on Linux, Foundation's `NSLock` holds three pthread objects.
    // Synchronization's `Mutex` is invisible to the thread sanitizer, which would report races in users' tests.
    @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
    // Exclusivity is not checked at run time, because the lock ensures it and the check costs more than the lock.
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

    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value)
    }
}
