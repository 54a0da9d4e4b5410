import Foundation

/// A value behind a lock.
///
/// `Synchronization.Mutex` would do, were it there on every system this module supports.
package final class Locked<Value>: @unchecked Sendable {  // Sendable: `value` is read and written under `lock` alone.
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
