#if os(macOS) || os(Linux)
    import AppAutomation
    import Foundation
    import Groundwork

    /// An app that a test launched as a process of its own, with a directory of its own for its state.
    ///
    /// In XCTest it ends with the test, its `tearDown` included. In Swift Testing, which has no such end, it ends with the
    /// last reference to it. In both it ends at the latest with the test process, however that ends. What the app started
    /// ends with it, and nothing of its directory is left.
    ///
    /// If the test process is killed (`SIGKILL`), the app ends itself; an executable without AppAutomation, a release
    /// build without checkpoints, and what the app started outlive it then.
    public final class AppProcess: AppConnection, @unchecked Sendable {
        /// The directory for the app's state. It stays until the app's object is released or, in XCTest, the test ends, and
        /// as long as another app continues from there.
        public let stateDirectory: URL
        /// The app whose state this one continues from.
        private let earlier: AppProcess?
        private let child: ChildProcess

        /// The app's process identifier, which is its process group's as well.
        public var processIdentifier: Int32 { child.identifier }

        /// The app's standard output: all that it wrote before it posted what a wait has seen, up to the limit that the
        /// launch gave.
        public var output: String { link.output }

        /// The app's standard error, kept in the same way.
        public var errorOutput: String { link.errorOutput }

        /// The end of the app, or `nil` while it runs.
        public var exitStatus: ExitStatus? { link.status }

        private init(
            _ environment: [String: String],
            _ link: AppLink,
            _ directory: AppDirectory,
            _ child: ChildProcess,
            _ stateDirectory: String,
            _ earlier: AppProcess?
        ) {
            self.stateDirectory = URL(fileURLWithPath: stateDirectory, isDirectory: true)
            (self.child, self.earlier) = (child, earlier)
            super.init(environment, link, directory)
        }

        deinit {
            directory.prepareRemoval()
            terminate()
        }

        /// Starts an app and, before it, the wait until it is ready.
        static func start(
            _ command: [String],
            _ launch: AppLaunch,
            until ready: Checkpoint?
        ) throws -> (AppProcess, EventWait?) {
            let directory = try AppDirectory()
            let stateDirectory = launch.earlier?.stateDirectory.path ?? "\(directory.path)/state"
            let ours = [
                AutomationVariable.socket: directory.socket, AutomationVariable.state: stateDirectory,
                AutomationVariable.launch: directory.path,
            ]
            let environment = Self.shortBacktrace.merging(ProcessInfo.processInfo.environment) { $1 }
                .merging(launch.environment) { $1 }.merging(ours) { $1 }
            try FileManager.default.createDirectory(atPath: stateDirectory, withIntermediateDirectories: true)

            var opened: [CInt] = []
            defer { opened.forEach { close($0) } }
            opened.append(try directory.listen())
            for makePair in [Children.socketPair, Children.pipe, Children.pipe] { opened += try makePair() }
            let link = try AppLink(
                listener: opened[0],
                input: opened[1],
                output: KeptOutput(of: opened[3], limit: launch.outputLimit),
                errorOutput: KeptOutput(of: opened[5], limit: launch.outputLimit)
            )
            opened = [opened[2], opened[4], opened[6]]  // The link closes the others.
            let source = EventSource(hub: link.hub, link: link, scope: .current)
            let wait = ready.map { EventWait(for: .checkpoint($0), in: source) }
            do {
                let child = try Children.start(command, environment, opened)
                Thread.detachNewThread {
                    let ending = child.waitForEnd { Children.killAll(of: child, in: directory.path) }
                    link.stop(ExitStatus(ending))
                }
                return (AppProcess(ours, link, directory, child, stateDirectory, launch.earlier), wait)
            } catch {
                wait?.stopListening()
                link.stop()
                throw error
            }
        }

        /// A full backtrace is so long that the reason of the crash would not be among the last lines that a failure shows.
        private static let shortBacktrace = ["SWIFT_BACKTRACE": "registers=none,images=none,threads=crashed,limit=8"]

        /// Ends the app now, and all that it started; has no effect if it has ended.
        public func terminate() {
            child.signalGroup(SIGKILL)
            link.waitUntilStopped()
        }

        override func finish() {
            directory.prepareRemoval()
            terminate()
            super.finish()
        }

        /// Waits until the app has ended by itself.
        ///
        /// - Returns: The end of the app, or `nil`, with a failure, if it did not end in time.
        @discardableResult
        public func waitForExit(
            timeout: TimeInterval = 30,
            file: StaticString = #filePath,
            line: UInt = #line
        ) -> ExitStatus? {
            awaitableEvents.wait(for: .end, timeout: timeout, at: Caller(file, line)) {} ? exitStatus : nil
        }

        /// Waits, without blocking a thread, until the app has ended by itself.
        @discardableResult
        public func waitForExit(
            timeout: TimeInterval = 30,
            isolation: isolated (any Actor)? = #isolation,
            file: StaticString = #filePath,
            line: UInt = #line
        ) async -> ExitStatus? {
            await awaitableEvents.wait(for: .end, timeout: timeout, at: Caller(file, line)) {} ? exitStatus : nil
        }
    }
#endif
