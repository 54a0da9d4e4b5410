#if os(macOS) || os(Linux)
    import AppAutomation
    import Foundation
    import Groundwork

    /// An app that a test launched as a process of its own, with a directory of its own for its state.
    ///
    /// In XCTest it ends with the test, its `tearDown` included. In Swift Testing, which has no such end, it ends with the
    /// last reference to it. What the app started ends with it, and nothing of its directory is left.
    ///
    /// If the test process ends first, in whatever way, the app ends itself; an executable without AppAutomation, a
    /// release build without checkpoints, and what the app started outlive it.
    public final class AppProcess: AppConnection, @unchecked Sendable {
        /// The directory for the app's state. It stays until the app's object is released or, in XCTest, the test ends, and
        /// as long as another app continues from there.
        public let stateDirectory: URL
        /// The app whose state this one continues from.
        private let earlier: AppProcess?
        /// The descriptor that keeps the directory of the state for as long as a process holds it.
        private let keeper: CInt
        /// The wait until the app is ready, if its launch waits for that.
        let readiness: EventWait?
        private let child: ChildProcess

        /// The app's process identifier, which is its process group's as well.
        public var processIdentifier: Int32 { child.identifier }

        /// The app's standard output, up to the launch's limit. After a wait, it has all that was written before the event.
        public var output: String { link.outputs[0].text }

        /// The app's standard error, kept in the same way.
        public var errorOutput: String { link.outputs[1].text }

        /// The end of the app, or `nil` while it runs, and if this process ignores `SIGCHLD` or waits for all children elsewhere.
        public var exitStatus: ExitStatus? { link.status }

        /// Starts an app and, before it, the wait until it is ready.
        init(
            _ command: [String],
            _ variables: [String: String],
            continuing earlier: AppProcess?,
            limit: Int,
            until ready: Checkpoint?
        ) throws {
            let directory = try AppDirectory()
            let state = earlier?.stateDirectory ?? URL(fileURLWithPath: "\(directory.path)/state", isDirectory: true)
            if earlier != nil, FilePath(FilePath(state.path).folder).kind == nil {
                throw AutomationError(.launch, "the state of the app to continue ended with that app's test")
            }
            try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
            let ours = [
                AutomationVariable.socket: directory.socket, AutomationVariable.state: state.path,
                AutomationVariable.launch: directory.path,
            ]
            // A failure shows only the last lines, in which a full backtrace would leave no room for the reason of the crash.
            let environment = ["SWIFT_BACKTRACE": "registers=none,images=none,threads=crashed,limit=8,top=0"]
                .merging(ProcessInfo.processInfo.environment) { $1 }.merging(variables) { $1 }.merging(ours) { $1 }
            // A socket and not a pipe, because writing to a pipe whose other end is gone raises a signal.
            let (input, inputEnd) = try UnixSocket.pair()
            defer { close(inputEnd) }
            let outputs = try ["output", "errors"].map { try KeptOutput(at: "\(directory.path)/\($0)", limit: limit) }
            let listener = try UnixSocket.listen(at: directory.socket)
            let link = try AppLink(listener: listener, input: input, outputs: outputs)
            let source = EventSource(link: link, scope: .current)
            let name = FilePath(command[0]).name
            readiness = ready.map { EventWait(for: .checkpoint($0), in: source, consequence: "\(name) is not ready: ") }
            keeper = earlier?.keeper ?? directory.keeper
            do {
                let streams = [inputEnd] + outputs.map(\.descriptor) + [keeper]
                child = try ChildProcess(command, environment: environment, streams: streams, closesOthers: true)
            } catch {
                readiness?.stopListening()
                link.stop()
                throw AutomationError(.launch, "\(command[0]) cannot be started: \(error)")
            }
            (self.earlier, stateDirectory) = (earlier, state)
            super.init(ours, link, directory)
            Thread.detachNewThread { [child] in
                let ending = try? child.waitForEnd {
                    // A process that the app has started may have left its session, but keeps the directory in its environment.
                    let variable = "\(AutomationVariable.launch)=\(directory.path)\0"
                    child.killAll { FilePath("/proc/\($0)/environ").readText()?.contains(variable) == true }
                }
                link.stop(ending.map(ExitStatus.init))
            }
        }

        deinit { end() }

        /// Ends the app now, and all that it started; has no effect if it has ended.
        public func terminate() {
            end()
            for output in link.outputs { output.finish() }
        }

        /// Returns this app if it is ready; else ends it, fails the test and throws.
        func checked(_ result: WaitResult?, _ file: StaticString, _ line: UInt) throws -> AppProcess {
            if result?.failure != nil { terminate() }
            try result?.check(file, line)
            return self
        }

        override func end() {
            child.signalGroup(SIGKILL)
            link.stopped.wait()
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
            awaitableEvents.wait(for: .anyEnd, timeout: timeout) {}.report(file, line) ? exitStatus : nil
        }

        /// Waits, without blocking a thread, until the app has ended by itself.
        @discardableResult
        public func waitForExit(
            timeout: TimeInterval = 30,
            isolation: isolated (any Actor)? = #isolation,
            file: StaticString = #filePath,
            line: UInt = #line
        ) async -> ExitStatus? {
            await awaitableEvents.wait(for: .anyEnd, timeout: timeout) {}.report(file, line) ? exitStatus : nil
        }
    }
#endif
