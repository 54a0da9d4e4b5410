#if os(macOS) || os(Linux)
    import AppAutomation
    import Foundation
    import Groundwork

    /// An app that a test launched as a process of its own.
    ///
    /// It has a directory of its own for its state and a socket of its own for its checkpoints. It ends with the test,
    /// however that ends, and so does everything that it started in its process group; socket and directory are
    /// removed.
    public final class AppProcess: Sendable {
        /// How an app ended.
        public enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
            /// By itself, with this code.
            case exited(code: Int32)
            /// By this signal.
            case killed(signal: Int32)

            /// As it stands in a failure's message.
            public var description: String {
                switch self {
                case .exited(let code): "the app exited with code \(code)"
                case .killed(let signal): "the app was killed by signal \(signal)"
                }
            }
        }

        /// The directory that the app was told to keep its state in. It stays until the test ends, so that another
        /// launch can continue from there.
        public let stateDirectory: URL
        private let child: ChildProcess
        private let guardian: AppGuardian
        /// Our end of the app's standard input; `nil` once it is closed.
        private let input: Locked<CInt?>
        private let watch: AppWatch

        /// The app's process identifier, which is its process group's as well.
        public var processIdentifier: Int32 { child.identifier }

        /// What the app has written to its standard output: all that it wrote before it posted what a wait has seen. It is
        /// kept in memory for as long as this object is, up to the limit that the launch gave.
        public var output: String { watch.output }

        /// What the app has written to its standard error, kept in the same way.
        public var errorOutput: String { watch.errorOutput }

        /// How the app ended, or `nil` while it runs.
        public var exitStatus: ExitStatus? { watch.status }

        /// A full backtrace is so long that the reason of the crash would not be among the last lines, which a failure shows.
        private static let shortBacktrace = ["SWIFT_BACKTRACE": "registers=none,images=none,threads=crashed,limit=8"]

        /// - Parameter hub: Where the app's events are posted.
        init(_ launch: AppLaunch, executable: String, arguments: [String], hub: EventHub) throws {
            guardian = try AppGuardian()
            // Whatever fails from here on must leave nothing behind.
            var undo: [() -> Void] = [guardian.finish]
            do {
                let socketPath = guardian.directory.appendingPathComponent("s").path
                let ownState = guardian.directory.appendingPathComponent("state", isDirectory: true)
                stateDirectory = launch.stateDirectory ?? ownState
                try FileManager.default.createDirectory(at: stateDirectory, withIntermediateDirectories: true)
                var reserved = ReservedOptions()
                reserved.automationSocket = socketPath
                reserved.automationState = stateDirectory.path

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

                child = try ChildProcess.launch(
                    executable,
                    reserved.arguments() + arguments,
                    environment: Self.shortBacktrace.merging(ProcessInfo.processInfo.environment) { $1 }
                        .merging(launch.environment) { $1 }
                        .merging([guardian.tag.name: guardian.tag.value]) { $1 },
                    streams: [theirInput, theirOutput, theirErrorOutput]
                )
                guardian.watch(child)
                undo.append { [child, guardian] in
                    child.signalGroup(SIGKILL)
                    _ = child.waitForEndOfGroup(beforeReaping: guardian.sweep)
                }
                input = Locked(ourInput)
                watch = AppWatch(
                    listener: socket,
                    output: output,
                    errorOutput: errorOutput,
                    outputLimit: launch.outputLimit,
                    hub: hub
                )
                try watch.begin(child) { [guardian] in guardian.sweep() }
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
        ///   was kept for it than the system allows. If that cut the line, the app's input is closed, and no later line
        ///   is sent.
        @discardableResult
        public func send(_ line: String) -> Bool {
            let bytes = Array("\(line)\n".utf8)
            return input.withLock { input in
                guard let descriptor = input else { return false }
                let sent = UnixSocket.send(bytes, to: descriptor, patience: 5)
                // What would follow a half line would be read as its other half.
                if 0 < sent, sent < bytes.count { Self.close(&input) }
                return sent == bytes.count
            }
        }

        /// Ends the app now, and all that it started; nothing happens if it has ended. The test's end does this by
        /// itself.
        public func end() {
            child.signalGroup(SIGKILL)
            watch.waitUntilFinished()
        }

        /// Ends the app with its test and removes what was made for it.
        func cleanUp() {
            watch.isTestOver.withLock { $0 = true }
            end()
            input.withLock { Self.close(&$0) }
            guardian.finish()
        }

        private static func close(_ descriptor: inout CInt?) {
            if let open = descriptor.take() { Descriptors.close(open) }
        }

        var source: EventSource { watch.source }
    }
#endif
