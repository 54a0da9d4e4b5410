import Groundwork

/// A command that runs as a child.
final class RunningCommand: Sendable {
    private let child: ChildProcess
    private let session: Session

    /// Starts a command as the shell would find it, with nothing to read, and with `output` for all that it writes.
    init(_ command: [String], environment: [String: String], output: Int32) throws(SystemError) {
        child = try Descriptor.withFile(at: "/dev/null", O_RDONLY) { (null) throws(SystemError) in
            try ChildProcess(command, environment: environment, streams: [null.number, output, output])
        }
        session = Session(leader: child.identifier)
    }

    /// The number by which the guard knows it.
    var identifier: pid_t { child.identifier }

    /// Asks it to end, as Ctrl-C would; what it has put into other groups is its affair.
    func interrupt() { child.signalGroup(SIGINT) }

    /// Ends it, and all that it has started.
    func kill() { child.ifNotReaped(session.kill) }

    /// Waits for its end, and ends what it has left running.
    ///
    /// - Parameter beforeReaping: Called before the system can reuse its number.
    func waitForEnd(beforeReaping: () -> Void) -> ProcessEnding {
        child.waitForEnd {
            session.kill()
            beforeReaping()
        }
    }
}
