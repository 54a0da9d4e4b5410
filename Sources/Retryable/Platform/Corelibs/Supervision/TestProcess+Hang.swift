#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork

    extension TestProcess {
        var status: ProcessStatus { ProcessStatus(of: identifier) }

        /// Ends it and what it has started, after the backtrace of its threads where Swift's crash handler is on.
        ///
        /// - Parameter hasMoved: Asked when it cannot move any more.
        /// - Returns: Whether it was ended; not if it has moved, and goes on, or has ended by itself.
        func endHung(unless hasMoved: () -> Bool) -> Bool {
            kill(identifier, SIGSTOP)
            var info = siginfo_t()
            waitid(P_PID, id_t(identifier), &info, WSTOPPED | WEXITED | WNOWAIT)
            if hasMoved() || status.isOver {
                kill(identifier, SIGCONT)
                return false
            }
            let started = ProcessStatus.descendants(of: identifier)
            if status.signals("SigCgt").contains(SIGQUIT) { printBacktrace() }
            for process in [identifier] + started { kill(process, SIGKILL) }
            waitpid(identifier, nil, 0)
            return true
        }

        /// After a signal that was sent, the crash handler prints and returns, and the test would go on, with its `sleep` cut
        /// short. So a second signal follows. It has to wait for the handler, which blocks all signals on its own thread and
        /// stops the other threads.
        private func printBacktrace() {
            kill(identifier, SIGQUIT)
            kill(identifier, SIGCONT)
            // The handler uninstalls itself as soon as it begins.
            guard wait(upTo: 1, until: { !status.signals("SigCgt").contains(SIGQUIT) }) else { return }
            kill(identifier, SIGVTALRM)
            _ = wait(upTo: 60) { status.isOver }  // reading the symbols of a large program takes long
        }

        private func wait(upTo seconds: Int, until isDone: () -> Bool) -> Bool {
            for _ in 0..<(seconds * 100) where !isDone() { usleep(10_000) }
            return isDone()
        }
    }
#endif
