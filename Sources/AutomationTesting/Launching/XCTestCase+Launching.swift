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
            let launch = Launch(
                app: app,
                arguments: arguments,
                environment: environment,
                stateDirectory: stateDirectory,
                outputLimit: outputLimit
            )
            let (process, wait) = try launch.start(options, of: self, until: ready, file: file, line: line)
            guard let wait else { return process }
            defer { wait.stopListening() }
            let outcome = wait.finish(timeout: timeout)
            return try launch.check(process, wait, outcome, timeout: timeout, file: file, line: line)
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
            let launch = Launch(
                app: app,
                arguments: arguments,
                environment: environment,
                stateDirectory: stateDirectory,
                outputLimit: outputLimit
            )
            let (process, wait) = try launch.start(options, of: self, until: ready, file: file, line: line)
            guard let wait else { return process }
            defer { wait.stopListening() }
            let outcome = await wait.finish(timeout: timeout)
            return try launch.check(process, wait, outcome, timeout: timeout, file: file, line: line)
        }
    }

    /// For an app without launch options of its own.
    public struct NoLaunchOptions: LaunchOptions {
        /// No options.
        public init() {}
    }

    /// One launch of an app, with what both forms of launching share.
    private struct Launch {
        let app: String
        let arguments: [String]
        let environment: [String: String]
        let stateDirectory: URL?
        let outputLimit: Int

        /// Starts the app, which ends with the test, and the wait until it is ready.
        func start(
            _ options: some LaunchOptions,
            of test: XCTestCase,
            until ready: Checkpoint?,
            file: StaticString,
            line: UInt
        ) throws -> (AppProcess, EventWait?) {
            guard test.testRun?.stopDate == nil else {
                // A failure would be that of another test, which runs by now.
                throw AppLaunchError("\(app) is not launched: \(test.name) has ended")
            }
            do {
                try refuseNUL()
                var wait: EventWait?
                let process = try AppProcess(
                    try executable(),
                    arguments: try options.arguments() + arguments,
                    environment: environment,
                    stateDirectory: stateDirectory,
                    outputLimit: outputLimit
                ) { source in
                    wait = ready.map { EventWait(for: .checkpoint($0), on: source.fromTheStart) }
                }
                TestBoundary.atEnd(of: test) { process.cleanUp() }
                return (process, wait)
            } catch {
                throw stoppingFailure(AppProcess.self, "\(error)", file: file, line: line)
            }
        }

        /// The system would end an argument or a variable at a NUL, and the app would see something else than the test
        /// gave.
        private func refuseNUL() throws {
            let bad =
                arguments.filter { $0.utf8.contains(0) }.map { "argument \"\($0)\"" }
                + environment.filter { "\($0.key)=\($0.value)".utf8.contains(0) }.map(\.key).sorted()
                .map { "variable \"\($0)\"" }
            guard bad.isEmpty else {
                let problems = bad.map { "\($0) has a NUL character in it, which the system does not pass on" }
                throw AppLaunchError(problems.joined(separator: "\n").replacingOccurrences(of: "\0", with: "\\0"))
            }
        }

        /// The app, if it is ready; else it has been ended.
        func check(
            _ process: AppProcess,
            _ wait: EventWait,
            _ outcome: EventWait.Outcome,
            timeout: TimeInterval,
            file: StaticString,
            line: UInt
        ) throws -> AppProcess {
            // What the app says last is complete only once it has ended.
            if outcome != .met { process.end() }
            guard let message = process.source.message(of: wait, outcome, timeout) else { return process }
            throw process.source.stop(AppProcess.self, "\(app) is not ready: \(message)", file: file, line: line)
        }

        private func executable() throws -> String {
            let path = app.contains("/") ? app : productsDirectory.appendingPathComponent(app).path
            guard FileManager.default.isExecutableFile(atPath: path) else {
                throw AppLaunchError("\(path) is no executable; a name or a path of one is expected")
            }
            return path
        }

        /// Where the package's products are: beside the test bundle.
        private var productsDirectory: URL {
            #if canImport(Darwin)
                for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
                    return bundle.bundleURL.deletingLastPathComponent()
                }
            #endif
            return Bundle.main.bundleURL
        }
    }
#endif
