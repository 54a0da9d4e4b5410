#if !os(tvOS) && !os(watchOS)  // which start no processes
    /// A child process that leads a session of its own, and so a process group, so that whatever it starts can be ended with it.
    ///
    /// Foundation's `Process` leaves its children in this process's group, where Ctrl-C reaches them, and reaps them by itself,
    /// after which a signal could hit a stranger with the same number.
    package final class ChildProcess: Sendable {
        package let identifier: pid_t
        private let isReaped = Locked(false)

        /// Starts a command as a shell would find it.
        ///
        /// - Parameters:
        ///   - streams: Its standard streams, from input to error output.
        ///   - others: What else this process has open that would pass to the child, and must not; `nil` if all may pass. Apple's
        ///     systems do not need to be told which.
        package init(
            _ command: [String],
            environment: [String: String],
            streams: [Int32],
            closing others: [Int32]? = nil
        ) throws(SystemError) {
            identifier = try spawn(command, environment, streams, closing: others)
        }

        /// Sends a signal to the child's group, if the child has not been reaped.
        package func signalGroup(_ number: Int32) {
            // An error means that the group has no process left.
            ifNotReaped { _ = kill(-identifier, number) }
        }

        /// Runs `body` if the child has not been reaped, after which its number may be another's.
        package func ifNotReaped(_ body: () -> Void) {
            isReaped.withLock { isReaped in
                if !isReaped { body() }
            }
        }

        /// Blocks until the child has ended.
        ///
        /// - Parameter clean: Called before the system can reuse the child's number.
        package func waitForEnd(beforeReaping clean: () -> Void) -> ProcessEnding {
            // Waits without reaping: until the child is reaped, the system does not reuse its number, nor its group's.
            var info = siginfo_t()
            while waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            return isReaped.withLock { isReaped in
                clean()
                isReaped = true
                var status: Int32 = 0
                while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
                return ProcessEnding(status: status)
            }
        }
    }
#endif
