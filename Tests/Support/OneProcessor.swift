import Foundation

/// Keeps this thread, and those that it starts from now on, on one processor.
///
/// - Parameter processor: Its number; that of the one on which the thread runs, if it is `nil`.
package func stayOnOneProcessor(_ processor: Int? = nil) {
    // Glibc has them, but Swift does not import them.
    typealias Current = @convention(c) () -> CInt
    typealias Restrict = @convention(c) (pid_t, Int, UnsafeRawPointer) -> CInt
    guard let current = dlsym(nil, "sched_getcpu"), let restrict = dlsym(nil, "sched_setaffinity") else { return }
    let processor = processor ?? Int(unsafeBitCast(current, to: Current.self)())
    guard processor >= 0 else { return }
    var set = [UInt](repeating: 0, count: processor / UInt.bitWidth + 1)
    set[processor / UInt.bitWidth] = 1 << UInt(processor % UInt.bitWidth)
    _ = unsafeBitCast(restrict, to: Restrict.self)(0, set.count * MemoryLayout<UInt>.size, set)
}
