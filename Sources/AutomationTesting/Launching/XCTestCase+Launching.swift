#if os(macOS) || os(Linux)
    import AppAutomation
    import XCTest

    extension XCTestCase {
        /// Launches an app as a process of its own and waits until it is ready.
        ///
        /// ```swift
        /// let options = OnboardingOptions { $0.skipOnboarding = true }
        /// let app = try launchApp("onboarding", options: options, until: .ready)
        /// ```
        ///
        /// The app starts in a state that this test alone decides on: with these options, in a directory of its own.
        /// When the test has ended, passed or failed, its `tearDown` included, the app and all that it started end, and
        /// nothing of it is left. What of its directory cannot be removed is said on standard error.
        ///
        /// Launch apps one after the other, for a test case belongs to one thread; use them in parallel as you like.
        ///
        /// - Parameters:
        ///   - app: The name of an executable product of the package under test, or the path of any executable.
        ///   - options: The options to launch it with.
        ///   - arguments: Further arguments, after the options.
        ///   - environment: Variables to set or replace in what the app inherits from the test. `SWIFT_BACKTRACE`,
        ///     unless inherited or given here, asks for a short backtrace, so that a failure shows why the app
        ///     crashed.
        ///   - stateDirectory: Where the app keeps its state; `nil` for a directory of its own. Another launch's
        ///     continues from what that one left.
        ///   - outputLimit: How many bytes of each of the app's two output streams are kept. Of an app that writes more,
        ///     the first and the last half of that many are, and a line between them says how much is left out.
        ///   - ready: The checkpoint that says that the app is ready; `nil` not to wait for any.
        ///   - timeout: How many seconds the app may take to be ready.
        ///   - file: The file of the call.
        ///   - line: The line of the call.
        /// - Throws: An app that cannot be launched, ends or is not ready in time fails the test at the caller's line,
        ///   with the app's last output. The error that is then thrown stops the test and is not reported again.
        public func launchApp(
            _ app: String,
            options: some LaunchOptions = NoLaunchOptions(),
            arguments: [String] = [],
            environment: [String: String] = [:],
            stateDirectory: URL? = nil,
            outputLimit: Int = 10_000_000,
            until ready: Checkpoint?,
            timeout: TimeInterval = 30,
            file: StaticString = #filePath,
            line: UInt = #line
        ) throws -> AppProcess {
            let launch = AppLaunch(
                app: app,
                arguments: arguments,
                environment: environment,
                stateDirectory: stateDirectory,
                outputLimit: outputLimit,
                timeout: timeout,
                caller: Caller(file, line)
            )
            let (process, wait) = try launch.start(options, of: self, until: ready)
            defer { wait?.stopListening() }
            return try launch.check(process, wait, wait?.finish(timeout: timeout))
        }

        /// Launches an app and waits, without blocking a thread, until it is ready, like the form that blocks.
        public func launchApp(
            _ app: String,
            options: some LaunchOptions = NoLaunchOptions(),
            arguments: [String] = [],
            environment: [String: String] = [:],
            stateDirectory: URL? = nil,
            outputLimit: Int = 10_000_000,
            until ready: Checkpoint?,
            timeout: TimeInterval = 30,
            isolation: isolated (any Actor)? = #isolation,
            file: StaticString = #filePath,
            line: UInt = #line
        ) async throws -> AppProcess {
            let launch = AppLaunch(
                app: app,
                arguments: arguments,
                environment: environment,
                stateDirectory: stateDirectory,
                outputLimit: outputLimit,
                timeout: timeout,
                caller: Caller(file, line)
            )
            let (process, wait) = try launch.start(options, of: self, until: ready)
            defer { wait?.stopListening() }
            return try launch.check(process, wait, await wait?.finish(timeout: timeout))
        }
    }

    /// For an app without launch options of its own.
    public struct NoLaunchOptions: LaunchOptions {
        /// No options.
        public init() {}
    }
#endif
