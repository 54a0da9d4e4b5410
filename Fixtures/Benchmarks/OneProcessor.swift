import Foundation

/// Keeps this process, with all threads that it starts from now on, on the processor that it runs on.
///
/// On Linux, XCTest calls every test's asynchronous `setUp` and `tearDown` in a task, and waits in a run loop that the
/// task's thread stops. If it does so while the loop is about to begin, nothing wakes the loop for 0.1 s. On one
/// processor the other thread all but never runs at that very moment; on two it may in one of two hundred tests.
func stayOnOneProcessor() {
    #if os(Linux)
        // Glibc has them, but Swift does not see them.
        typealias Current = @convention(c) () -> CInt
        typealias Restrict = @convention(c) (pid_t, Int, UnsafeRawPointer) -> CInt
        guard let current = dlsym(nil, "sched_getcpu"), let restrict = dlsym(nil, "sched_setaffinity") else { return }
        let processor = Int(unsafeBitCast(current, to: Current.self)())
        guard processor >= 0 else { return }
        var set = [UInt](repeating: 0, count: processor / UInt.bitWidth + 1)
        set[processor / UInt.bitWidth] = 1 << UInt(processor % UInt.bitWidth)
        // Should it be refused, the same is measured, only slower.
        _ = unsafeBitCast(restrict, to: Restrict.self)(0, set.count * MemoryLayout<UInt>.size, set)
    #endif
}
