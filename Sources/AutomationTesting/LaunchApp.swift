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
