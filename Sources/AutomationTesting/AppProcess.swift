#if os(macOS) || os(Linux)
    import Groundwork
    import AppAutomation
    import XCTest

    /// An app that a test launched as a process of its own.
    ///
    /// It has a directory of its own for its state and a socket of its own for its checkpoints. It ends with the test,
    /// however that ends, and so does everything that it started in its process group; socket and directory are
    /// removed.
    public final class AppProcess: Sendable {
        /// The directory that the app was told to keep its state in. It stays until the test ends, so that another
        /// launch can continue from there.
        public let stateDirectory: URL
        private let directory: URL
        private let child: ChildProcess
        private let guardian: Guardian
        private let input: CInt
        private let isInputOpen = Locked(true)
        let watch: AppWatch

        /// The app's process identifier, which is its process group's as well.
        public var processIdentifier: Int32 { child.identifier }

        /// All that the app has written to its standard output, which is kept in memory for as long as this object is.
        public var output: String { watch.output }

        /// All that the app has written to its standard error, which is kept in memory for as long as this object is.
        public var errorOutput: String { watch.errorOutput }

        /// How the app ended, or `nil` while it runs.
        public var exitStatus: ExitStatus? { watch.status }

        /// Else the backtrace of a crash is so long that its reason is not among the last lines, which are shown.
        private static let shortBacktrace = [
            "SWIFT_BACKTRACE": "registers=none,images=none,threads=crashed,limit=8"
        ]

        /// Starts an app; `prepare` gets the place where its events arrive before there are any.
        init(
            _ path: String,
            arguments: [String],
            environment: [String: String],
            stateDirectory: URL?,
            prepare: (EventHub) -> Void
        ) throws {
            directory = try Descriptors.temporaryDirectory()
            // Whatever fails from here on must leave nothing behind.
            var undo: [() -> Void] = [Self.removing(directory)]
            do {
                let socketPath = directory.appendingPathComponent("s").path
                let state = stateDirectory ?? directory.appendingPathComponent("state", isDirectory: true)
                try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
                self.stateDirectory = state
                var reserved = ReservedOptions()
                reserved.automationSocket = socketPath
                reserved.automationState = state.path

                let socket = try UnixSocket.listen(at: socketPath)
                undo.append { Descriptors.close(socket) }
                let (theirInput, ourInput) = try Descriptors.socketPair()
                defer { Descriptors.close(theirInput) }
                undo.append { Descriptors.close(ourInput) }
                let (output, theirOutput) = try Descriptors.pipe()
                defer { Descriptors.close(theirOutput) }
                undo.append { Descriptors.close(output) }
                let (errorOutput, theirErrorOutput) = try Descriptors.pipe()
                defer { Descriptors.close(theirErrorOutput) }
                undo.append { Descriptors.close(errorOutput) }
                let guardian = try Guardian(removing: directory)
                undo.append { guardian.dismiss() }

                let directory = directory
                let child = try ChildProcess(
                    path,
                    reserved.arguments() + arguments,
                    environment: Self.shortBacktrace.merging(ProcessInfo.processInfo.environment) { $1 }
                        .merging(environment) { $1 }
                        .merging([Leftovers.variable: directory.path]) { $1 },
                    streams: [theirInput, theirOutput, theirErrorOutput]
                )
                guardian.watch(child)
                undo.append {
                    child.kill()
                    _ = child.waitForEnd()
                }
                watch = AppWatch()
                prepare(watch.hub)
                try watch.begin(child, output: output, errorOutput: errorOutput, socket: socket) {
                    Leftovers.kill(of: directory, session: child.identifier)
                    guardian.forgetApp()
                }
                (self.child, self.guardian, input) = (child, guardian, ourInput)
            } catch {
                undo.reversed().forEach { $0() }
                throw error
            }
        }

        /// Sends a line to the app's standard input.
        ///
        /// What an app has not read yet is kept for it, up to what the system allows.
        ///
        /// - Returns: False if the app does not read any more: it has ended, or read nothing for 5 seconds while more
        ///   was kept for it than the system allows.
        @discardableResult
        public func send(_ line: String) -> Bool {
            isInputOpen.withLock { $0 && UnixSocket.send(line + "\n", to: input) }
        }

        /// Ends the app now, and all that it started; nothing happens if it has ended. The test's end does this by
        /// itself.
        public func end() {
            child.kill()
            watch.waitUntilFinished()
        }

        /// Ends the app and removes what was made for it.
        func cleanUp() {
            end()
            let wasOpen = isInputOpen.withLock { isOpen in
                defer { isOpen = false }
                return isOpen
            }
            guard wasOpen else { return }
            Descriptors.close(input)
            Self.removing(directory)()
            guardian.dismiss()
        }

        private static func removing(_ directory: URL) -> () -> Void {
            {
                do {
                    try FileManager.default.removeItem(at: directory)
                } catch {
                    XCTFail("\(directory.path) cannot be removed: \(error)")
                }
            }
        }

        var source: EventSource {
            let watch = watch
            return EventSource(hub: watch.hub) { watch.remark }
        }
    }
#endif
