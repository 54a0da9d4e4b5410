#if os(macOS) || os(Linux)
    import AppAutomation
    import XCTest

    /// One launch of an app, with what both forms of launching share.
    struct AppLaunch {
        let app: String
        let arguments: [String]
        let environment: [String: String]
        let stateDirectory: URL?
        let outputLimit: Int
        let timeout: TimeInterval
        let caller: Caller

        /// Starts the app, which ends with the test, and the wait until it is ready.
        func start(
            _ options: some LaunchOptions,
            of test: XCTestCase,
            until ready: Checkpoint?
        ) throws -> (AppProcess, EventWait?) {
            guard test.testRun?.stopDate == nil else {
                // A failure would be that of another test, which runs by now.
                throw AppLaunchError("\(app) is not launched: \(test.name) has ended")
            }
            // It listens before the app starts, so that no event is missed.
            let hub = EventHub()
            let wait = ready.map { EventWait(for: .checkpoint($0), on: hub) }
            do {
                try refuseNUL()
                let arguments = try options.arguments() + arguments
                let process = try AppProcess(self, executable: executable(), arguments: arguments, hub: hub)
                TestBoundary.atEnd(of: test) { process.cleanUp() }
                return (process, wait)
            } catch {
                wait?.stopListening()
                throw caller.stop(AppProcess.self, "\(error)")
            }
        }

        /// The app, if it is ready or need not be; else it has been ended.
        func check(_ process: AppProcess, _ wait: EventWait?, _ outcome: EventWait.Outcome?) throws -> AppProcess {
            guard let wait, let outcome else { return process }
            // What the app says last is complete only once it has ended.
            if outcome != .met { process.end() }
            guard let message = process.source.message(of: wait, outcome, timeout) else { return process }
            throw process.source.stop(AppProcess.self, "\(app) is not ready: \(message)", at: caller)
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
