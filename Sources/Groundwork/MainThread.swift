import Foundation

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
