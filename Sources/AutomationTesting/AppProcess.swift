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
        /// The descriptor that keeps the directory of the state for as long as a process holds it.
        private let keeper: CInt
        /// The wait until the app is ready, if its launch waits for that.
        fileprivate let readiness: EventWait?
        private let child: ChildProcess

        /// The app's process identifier, which is its process group's as well.
        public var processIdentifier: Int32 { child.identifier }

        /// The app's standard output, up to the launch's limit. After a wait, it has all that was written before the event.
        public var output: String { link.outputs[0].text }

        /// The app's standard error, kept in the same way.
        public var errorOutput: String { link.outputs[1].text }

        /// The end of the app, or `nil` while it runs.
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
            try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
            let ours = [
                AutomationVariable.socket: directory.socket, AutomationVariable.state: state.path,
                AutomationVariable.launch: directory.path,
            ]
            // A failure shows only the last lines, in which a full backtrace would leave no room for the reason of the crash.
            let environment = ["SWIFT_BACKTRACE": "registers=none,images=none,threads=crashed,limit=8"]
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
                let ending = child.waitForEnd {
                    // A process that the app has started may have left its session, but keeps the directory in its environment.
                    let variable = "\(AutomationVariable.launch)=\(directory.path)\0"
                    child.killAll { FilePath("/proc/\($0)/environ").readText()?.contains(variable) == true }
                }
                link.stop(ExitStatus(ending))
            }
        }

        deinit { terminate() }

        /// Ends the app now, and all that it started; has no effect if it has ended.
        public func terminate() {
            child.signalGroup(SIGKILL)
            link.stopped.wait()
        }

        /// Returns this app if it is ready; else ends it, fails the test and throws.
        fileprivate func checked(_ result: WaitResult?, _ file: StaticString, _ line: UInt) throws -> AppProcess {
            if result?.failure != nil { terminate() }
            try result?.check(file, line)
            return self
        }

        override func finish() {
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

    /// Launches an app as a process of its own and waits until it is ready.
    ///
    /// ```swift
    /// let options = OnboardingOptions { $0.skipOnboarding = true }
    /// let app = try launchApp("onboarding", options: options, until: .ready)
    /// ```
    ///
    /// The app starts in a state that only this test decides on: with these options, in a directory of its own. This form
    /// blocks the thread; in Swift Testing, that is one of the few threads that all tests share.
    ///
    /// - Parameters:
    ///   - app: The name of an executable product of the package under test, or the path of any executable.
    ///   - options: The options to launch it with.
    ///   - arguments: Further arguments, after the options. The system ends an argument at a NUL character.
    ///   - environment: Variables to set or replace in what the app inherits from the test. `SWIFT_BACKTRACE`, unless
    ///     inherited or given here, asks for a short backtrace, so that a failure shows why the app crashed.
    ///   - earlier: An app whose state this one continues from; `nil` for an empty state.
    ///   - outputLimit: The number of bytes to show of each of the app's two output streams: its end, after a line that says
    ///     how much came before. Files hold all of the output until the app is released.
    ///   - ready: The checkpoint at which the app is ready; `nil` to wait for none.
    ///   - timeout: The number of seconds that the app may take to be ready.
    ///   - file: The file of the call.
    ///   - line: The line of the call.
    /// - Throws: An error that stops the test and is not reported again. An app that cannot be launched, ends or is not ready
    ///   in time fails the test at the caller's line, with the app's last output.
    public func launchApp(
        _ app: String,
        options: some LaunchOptions = NoLaunchOptions(),
        arguments: [String] = [],
        environment: [String: String] = [:],
        continuing earlier: AppProcess? = nil,
        outputLimit: Int = 10_000_000,
        until ready: Checkpoint?,
        timeout: TimeInterval = 30,
        file: StaticString = #filePath,
        line: UInt = #line
    ) throws -> AppProcess {
        let process = try TestScope.current.stoppingTest(file, line) {
            let command = try [executable(named: app)] + options.arguments() + arguments
            return try AppProcess(command, environment, continuing: earlier, limit: outputLimit, until: ready)
        }
        return try process.checked(process.readiness?.finish(timeout: timeout), file, line)
    }

    /// Launches an app and waits, without blocking a thread, until it is ready.
    public func launchApp(
        _ app: String,
        options: some LaunchOptions = NoLaunchOptions(),
        arguments: [String] = [],
        environment: [String: String] = [:],
        continuing earlier: AppProcess? = nil,
        outputLimit: Int = 10_000_000,
        until ready: Checkpoint?,
        timeout: TimeInterval = 30,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws -> AppProcess {
        let process = try TestScope.current.stoppingTest(file, line) {
            let command = try [executable(named: app)] + options.arguments() + arguments
            return try AppProcess(command, environment, continuing: earlier, limit: outputLimit, until: ready)
        }
        return try process.checked(await process.readiness?.finish(timeout: timeout), file, line)
    }

    /// Returns the path of an executable. A name without `/` is a product of the package, beside the test bundle.
    private func executable(named app: String) throws -> String {
        #if canImport(Darwin)
            let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            let products = tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
        #else
            let products = Bundle.main.bundleURL  // with Swift 6.2, `allBundles` crashes here
        #endif
        let path = app.contains("/") ? app : products.appendingPathComponent(app).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw AutomationError(.launch, "\(path) is no executable; a name or a path of one is expected")
        }
        return path
    }

    /// The options of an app that has none.
    public struct NoLaunchOptions: LaunchOptions {
        /// Makes no options.
        public init() {}
    }
#endif
