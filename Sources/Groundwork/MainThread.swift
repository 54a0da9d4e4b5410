import Foundation

/// Waits on the main thread while what is queued there runs, as XCTest's own waits do.
///
/// Returns early where the run loop cannot run, which is inside a block of the main queue.
package func runMainLoop(until deadline: DispatchTime, unless isOver: () -> Bool = { false }) {
    while !isOver() {
        // On the clock that nobody sets: a run on CI may well see the other one jump.
        let left = Double(deadline.uptimeNanoseconds) - Double(DispatchTime.now().uptimeNanoseconds)
        guard left > 0, RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: left / 1e9)) else { return }
    }
}
