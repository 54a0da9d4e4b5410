import Foundation

/// Runs the main thread's run loop until `isOver` or the deadline, as XCTest's own waits do.
///
/// Returns early inside a block of the main queue, where the run loop cannot run.
package func runMainLoop(until deadline: DispatchTime, unless isOver: () -> Bool = { false }) {
    while !isOver() {
        // Measured on the monotonic clock: the wall clock can jump, for example on CI.
        let left = Double(deadline.uptimeNanoseconds) - Double(DispatchTime.now().uptimeNanoseconds)
        guard left > 0, RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: left / 1e9)) else { return }
    }
}
