import Foundation
import Groundwork
import RetryCore
import Testing

/// What happens once in a process: before its first test, and at its end.
enum ThisProcess {
    /// Reads the environment and puts the report in place; ends the process with exit code 2 if it cannot.
    static func begin() {
        // The order matters: should the process end in here, nothing may wait for what has not begun.
        if Ledger.shared.begin() {
            Ledger.shared.sayUnsupervised("a crash ends the process, and the report says what was pending")
        }
        _ = isWatched
    }

    /// Swift Testing tells nobody that its run is over. Its process ends by `exit`, though.
    private static let isWatched: Void = EarlyExit.watch(
        { beingRetried.withLock { $0.map(\.name).sorted() } },
        atEnd: { Ledger.shared.finish() }
    )

    /// The tests that have flaked, and whose retries are under way.
    static let beingRetried = Locked<Set<TestName>>([])

    /// Says, once, why a section changes nothing.
    static func sayHowToOptIn(at sourceLocation: SourceLocation) {
        let isFirst = hasSaidHow.withLock { hasSaid in
            defer { hasSaid = true }
            return !hasSaid
        }
        guard isFirst else { return }
        let place = "\(Ledger.shared.relative(sourceLocation.path)):\(sourceLocation.line)"
        say(
            "flaky at \(place) changes nothing, because it runs in no task of a test that has opted in; "
                + "to opt in, mark the suite: @Suite(.retryable)"
        )
    }

    private static let hasSaidHow = Locked(false)
}
