#if os(macOS) || os(Linux)
    import Groundwork

    extension ChildProcess {
        /// Starts an executable with these descriptors as its standard streams; it gets no other.
        static func launch(
            _ path: String,
            _ arguments: [String],
            environment: [String: String],
            streams: [CInt]
        ) throws -> ChildProcess {
            try Descriptors.startingChildren.withLock { _ in
                let others = try Descriptors.othersThatPass()
                do throws(SystemError) {
                    return try ChildProcess(
                        [path] + arguments,
                        environment: environment,
                        streams: streams,
                        closing: others
                    )
                } catch {
                    throw AppLaunchError("\(path) cannot be started: \(error)")
                }
            }
        }

        /// Blocks until the child has ended, ends what it left running in its group, and says how the child ended.
        ///
        /// - Parameter clean: Called before the system can reuse the child's number.
        func waitForEndOfGroup(beforeReaping clean: () -> Void = {}) -> AppProcess.ExitStatus {
            let ending = waitForEnd {
                _ = kill(-identifier, SIGKILL)
                clean()
            }
            return switch ending {
            case .exitCode(let code): .exited(code: code)
            case .signal(let signal): .killed(signal: signal)
            }
        }
    }
#endif
