#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork
    import RetryCore
    import XCTest

    /// Runs the tests in a child process and, if that dies, the remaining ones in another.
    enum Supervision {
        /// Forks, if the environment asks for it, when the outermost suite starts.
        ///
        /// Returns in the first child, and in a process that cannot fork: there XCTest goes on to run the tests. It
        /// does not return in the process that waits for the children, nor in a child that runs the remaining tests.
        ///
        /// - Parameter isInBundle: `true` if only the end of the bundle follows the end of the outermost suite.
        static func superviseIfAsked(_ outermost: XCTestSuite, isInBundle: Bool) {
            let (settings, decline) = (ProcessContext.shared.settings, ProcessContext.shared.warnUnsupervised)
            guard settings.isSupervised else { return }
            if ProcessContext.shared.isOfBazel { return decline("Bazel's runner runs the tests") }
            guard isInBundle else { return decline("the tests are not run by XCTMain") }
            guard (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.count == 1 else {
                return decline("the process has more than one thread before its first test, or they cannot be counted")
            }
            var last: Resumption?
            do throws(SystemError) {
                let supervised = try SupervisedTests(outermost)
                let state = supervised.state
                while true {
                    fflush(nil)
                    state.thaw()
                    guard let process = try TestProcess.start() else {
                        TestProcess.renewThreadNumber()
                        guard let last else { return supervised.listen() }
                        last.runRest(of: outermost)
                    }
                    let endings = state.endings
                    let death = process.waitForEnd(limit: settings.timeLimit) {
                        state.moves
                    } isCrashing: {
                        state.crash != nil
                    } willKill: {
                        state.freeze()
                    }
                    // A sanitizer's process ends by `_exit`, and one that is killed while it crashes by another signal.
                    let cause = state.crash.flatMap { $0.mayHaveCaused(death) ? $0 : nil }
                    let next = Resumption(
                        supervised: supervised,
                        interrupted: state.interrupted,
                        death: cause.map { .ended(.signal($0.signal)) } ?? death,
                        otherCrash: cause == nil ? state.crash : nil
                    )
                    // If a child dies again before anything has ended, every later child would too.
                    let isProgress = next.interrupted != last?.interrupted || state.endings > endings
                    guard !state.isOver, isProgress else { end(like: death, supervised) }
                    last = next
                }
            } catch {
                guard last != nil else { return decline("\(error)") }
                log("the rest of the tests did not run: \(error)")
                _exit(1)
            }
        }

        /// Ends this process as the last child ended; but green only if every test has ended and none has failed.
        private static func end(like death: Death, _ supervised: SupervisedTests) -> Never {
            let left = supervised.state.tests.indices.filter { !supervised.state.tests[$0].hasEnded }
            if let first = left.first {
                let which = "\(supervised.tests[first].name)\(left.count > 1 ? " and others" : "")"
                log("\(left.count.of("test")) did not end, so the run has failed: \(which)")
            }
            let crash = supervised.state.crash
            if let crash, case .ended(.exitCode(0)) = death {
                log("the process \(Death.ended(.signal(crash.signal))) after its tests, so the run has failed")
            }
            switch death {
            case .ended(.signal(let number)):
                _ = signal(number, SIG_DFL)
                kill(getpid(), number)
                _exit(128 + number)
            case .ended(.exitCode(0)): _exit(supervised.state.isGreen && crash == nil ? 0 : 1)
            case .ended(.exitCode(let code)): _exit(code)
            case .hang: _exit(1)
            }
        }
    }
#endif
