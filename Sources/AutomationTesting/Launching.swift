#if os(macOS) || os(Linux)
    import AppAutomation
    import Foundation

    /// Launches an app as a process of its own and waits until it is ready.
    ///
    /// ```swift
    /// let options = OnboardingOptions { $0.skipOnboarding = true }
    /// let app = try launchApp("onboarding", options: options, until: .ready)
    /// ```
    ///
    /// The app starts in a state that this test alone decides on: with these options, in a directory of its own. See
    /// ``AppProcess`` for its end. This form blocks the thread; in a test of Swift Testing that is one of the few that all
    /// tests share.
    ///
    /// - Parameters:
    ///   - app: The name of an executable product of the package under test, or the path of any executable.
    ///   - options: The options to launch it with.
    ///   - arguments: Further arguments, after the options.
    ///   - environment: Variables to set or replace in what the app inherits from the test. `SWIFT_BACKTRACE`, unless
    ///     inherited or given here, asks for a short backtrace, so that a failure shows why the app crashed.
    ///   - earlier: An app whose state this one continues from; `nil` for an empty state.
    ///   - outputLimit: The number of bytes of each of the app's two output streams that are kept. Of an app that writes
    ///     more, the end is, after a line that says how much came before.
    ///   - ready: The checkpoint that says that the app is ready; `nil` not to wait for any.
    ///   - timeout: The number of seconds that the app may take to be ready.
    ///   - file: The file of the line that fails.
    ///   - line: The line that fails.
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
        let launch = AppLaunch(app, arguments, environment, earlier, outputLimit, Caller(file, line))
        let (process, wait) = try launch.start(options, until: ready)
        defer { wait?.stopListening() }
        return try launch.check(process, wait?.finish(timeout: timeout) ?? nil)
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
        let launch = AppLaunch(app, arguments, environment, earlier, outputLimit, Caller(file, line))
        let (process, wait) = try launch.start(options, until: ready)
        defer { wait?.stopListening() }
        return try launch.check(process, await wait?.finish(timeout: timeout) ?? nil)
    }

    /// One launch of an app: what both forms of launching share.
    struct AppLaunch {
        let app: String
        let arguments: [String]
        let environment: [String: String]
        let earlier: AppProcess?
        let outputLimit: Int
        let caller: Caller

        init(
            _ app: String,
            _ arguments: [String],
            _ environment: [String: String],
            _ earlier: AppProcess?,
            _ outputLimit: Int,
            _ caller: Caller
        ) {
            (self.app, self.arguments, self.environment) = (app, arguments, environment)
            (self.earlier, self.outputLimit, self.caller) = (earlier, outputLimit, caller)
        }

        /// Starts the app, and the wait until it is ready, which begins before the app.
        func start(_ options: some LaunchOptions, until ready: Checkpoint?) throws -> (AppProcess, EventWait?) {
            do {
                let path = app.contains("/") ? app : productsDirectory.appendingPathComponent(app).path
                guard FileManager.default.isExecutableFile(atPath: path) else {
                    throw AutomationError(.launch, "\(path) is no executable; a name or a path of one is expected")
                }
                try refuseNUL()
                return try AppProcess.start([path] + options.arguments() + arguments, self, until: ready)
            } catch {
                throw caller.stop("\(error)", in: .current)
            }
        }

        /// Returns an app that is ready; ends another one, and throws.
        func check(_ process: AppProcess, _ failure: String?) throws -> AppProcess {
            guard let failure else { return process }
            process.terminate()
            throw caller.stop("\(app) is not ready: \(failure)", in: process.awaitableEvents.scope)
        }

        /// The system would end an argument or a variable at a NUL, and the app would see something else than the test gave.
        private func refuseNUL() throws {
            let bad =
                arguments.filter { $0.utf8.contains(0) }.map { "argument \"\($0)\"" }
                + environment.filter { "\($0.key)=\($0.value)".utf8.contains(0) }.map(\.key).sorted()
                .map { "variable \"\($0)\"" }
            guard bad.isEmpty else {
                let problems = bad.map { "\($0) has a NUL character in it, which the system does not pass on" }
                let text = problems.joined(separator: "\n").replacingOccurrences(of: "\0", with: "\\0")
                throw AutomationError(.launch, text)
            }
        }

        /// The directory of the package's products, beside the test bundle.
        private var productsDirectory: URL {
            #if canImport(Darwin)
                for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
                    return bundle.bundleURL.deletingLastPathComponent()
                }
            #endif
            return Bundle.main.bundleURL
        }
    }

    /// The options of an app that has none.
    public struct NoLaunchOptions: LaunchOptions {
        /// Makes no options.
        public init() {}
    }
#endif
