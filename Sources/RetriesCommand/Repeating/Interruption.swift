import Dispatch
import Foundation
import Groundwork

/// The request to end this process, by Ctrl-C or by a signal. It ends the running command, so that results can be shown.
final class Interruption {
    let command = Locked(ChildProcess?.none)
    private let arrived = Locked(Int32?.none)
    private var sources: [any DispatchSourceSignal] = []

    init() {
        let queue = DispatchQueue(label: "interruption")
        // One that is ignored stays so: `nohup` ignores SIGHUP, and a shell's script SIGINT for a job in the background.
        sources = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [arrived, command] in
                arrived.withLock { $0 = $0 ?? number }
                // Like Ctrl-C in a terminal, this does not reach process groups that the command has made.
                command.withLock(\.self)?.signalGroup(SIGINT)
                // Gives a command, even one that was just about to start, time to end by itself.
                queue.asyncAfter(deadline: .now() + 2) {
                    if let command = command.withLock(\.self) { command.ifNotReaped { command.killAll() } }
                }
            }
            source.resume()
            return source
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        let handler = signal(number, SIG_IGN)
        signal(number, handler)
        // Functions cannot be compared, and this one is no function but the number 1.
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// The first signal that asked this process to end.
    var signalNumber: Int32? { arrived.withLock(\.self) }
}

/// The error of a command that a signal ended early. Its process ends by that signal, which ends a loop in a shell, too.
struct Interrupted: Error {
    let signalNumber: Int32
}
