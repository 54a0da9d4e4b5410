import Dispatch
import Groundwork

/// Ends the running command when this process is asked to end; this process then shows the results so far.
final class Interruption {
    /// The seconds that a command has to end by itself. `swift test` ends its tests first.
    private static let grace = 2.0

    private let state = Locked((command: ChildProcess?.none, hasArrived: false))
    private var sources: [any DispatchSourceSignal] = []

    init() {
        let queue = DispatchQueue(label: "interruption")
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [state] in
                state.withLock { $0.hasArrived = true }
                // Like Ctrl-C in a terminal, this leaves the process groups that the command has made to the command.
                state.withLock(\.command)?.signalGroup(SIGINT)
                // By then, the command may be one that was about to be started.
                queue.asyncAfter(deadline: .now() + Self.grace) {
                    if let command = state.withLock(\.command) { command.ifNotReaped { command.killAll() } }
                }
            }
            source.resume()
            return source
        }
    }

    /// `true` once this process was asked to end.
    var hasArrived: Bool { state.withLock(\.hasArrived) }

    func setCommand(_ command: ChildProcess?) {
        state.withLock { $0.command = command }
    }
}
