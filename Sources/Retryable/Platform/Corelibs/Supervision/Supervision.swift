#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork
    import RetryCore
    import XCTest

    /// Runs the tests in a child process and, when that has died, what is left of them in another.
    enum Supervision {
        /// Forks, if the environment asks for it, when the outermost suite starts.
        ///
        /// Returns where the tests run as ever: in the first child, or in a process that cannot fork. It does not return in the
        /// process that waits for the children, nor in a child that runs what another has left.
        ///
        /// - Parameter finish: What follows the outermost suite; `nil` if that cannot be known.
        static func begin(_ outermost: XCTestSuite, finish: (() -> Void)?) {
            let (mode, decline) = (Ledger.shared.mode, Ledger.shared.sayUnsupervised)
            guard mode.isSupervised else { return }
            guard let finish else { return decline("the tests are not run by XCTMain") }
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
            guard threads == 1 else { return decline("the process has \(threads) threads before its first test") }
            guard let notes = Notes(of: outermost) else { return decline("\(SystemError.last)") }
            var charges: [RunState.Charge] = []
            var death: Death?
            while true {
                fflush(nil)
                let process: TestProcess?
                do throws(SystemError) {
                    process = try TestProcess.fork()
                } catch {
                    guard death != nil else { return decline("\(error)") }
                    say("the rest of the tests did not run: \(error)")
                    _exit(1)
                }
                guard let process else {
                    guard let death else { return notes.observe() }
                    Resumption(of: notes, notes.state(charges), after: death).run(outermost, finish: finish)
                }
                let before = notes.state(charges)
                let ending = process.waitForEnd(limit: mode.timeLimit) { notes.moves }
                let state = notes.state(charges)
                let cause = ending.hasHung ? .hang(seconds: mode.timeLimit ?? 0) : Death(status: ending.status)
                if let signal = ending.signal { end(by: signal) }
                // If a child dies again before anything has ended, every later child would too.
                let isProgress = charges.last != state.charge || state.endings > before.endings
                guard !state.isOver, isProgress else { end(like: cause, state, notes) }
                death = cause
                charges.append(state.charge)
            }
        }

        /// Ends this process as the last child ended; but green only if every test has ended and none has failed.
        private static func end(like death: Death, _ state: RunState, _ notes: Notes) -> Never {
            let left = state.attempts.indices.filter { !state.attempts[$0].hasEnded }
            if let first = left.first {
                let name = notes.tests[state.attempts[first].test].name
                say(
                    "\(left.count.of("test")) did not end, so the run has failed: \(name)\(left.count > 1 ? " and others" : "")"
                )
            }
            switch death {
            case .signal(let signal): end(by: signal)
            case .exit(0): _exit(state.isGreen ? 0 : 1)
            case .exit(let code): _exit(code)
            case .hang: _exit(1)
            }
        }

        private static func end(by signal: CInt) -> Never {
            var none = rlimit()
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)  // the child has left one, if any
            Glibc.signal(signal, SIG_DFL)
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_UNBLOCK, &all, nil)
            kill(getpid(), signal)
            _exit(128 + signal)
        }
    }
#endif
