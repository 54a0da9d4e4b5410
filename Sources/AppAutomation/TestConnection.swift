import Foundation
import Groundwork

/// The environment variables by which a test hands an app its place.
package enum AutomationVariable {
    /// The path of the socket that the test listens on.
    package static let socket = "APP_AUTOMATION_SOCKET"
    /// The directory for what the app keeps.
    package static let state = "APP_AUTOMATION_STATE"
    /// The directory of a launch, below that of its test process; only an app that `launchApp` started has it.
    package static let launch = "APP_AUTOMATION_LAUNCH"
}

/// The app's end of the connection to its test.
struct TestConnection: Sendable {
    private static let isMade = Locked(false)

    private let socket: String
    private let launchDirectory: String?

    /// - Returns: `nil` if these variables name no test.
    init?(_ environment: [String: String]) {
        guard let socket = environment[AutomationVariable.socket] else { return nil }
        self.socket = socket
        launchDirectory = environment[AutomationVariable.launch]
    }

    /// Connects, once in a process, and serves the connection on a thread of its own, however busy the app is.
    func make(for hub: EventHub) {
        let isFirst = Self.isMade.withLock { isMade in
            defer { isMade = true }
            return !isMade
        }
        guard isFirst else { return }
        // A helper that the app starts is not the app.
        unsetenv(AutomationVariable.socket)
        do {
            let descriptor = try UnixSocket.connect(to: socket)
            hub.send(to: descriptor, flushesOutput: launchDirectory != nil)
            // Before the app reads from it.
            let input = launchDirectory == nil ? newStandardInput() : nil
            Thread.detachNewThread { serve(descriptor, hub, input) }
        } catch {
            writeToStandardError("AppAutomation: \(error)")
            // The test may be there and refuse this process, because it is connected to another.
            endWithTest(removingDirectory: launchDirectory.map { isAbandoned(FilePath($0).folder) } ?? false)
        }
    }

    private func serve(_ descriptor: CInt, _ hub: EventHub, _ input: CInt?) {
        while let bytes = UnixSocket.read(descriptor) {
            if let input { _ = UnixSocket.send(bytes, to: input) }
        }
        endWithTest(removingDirectory: true)
        // The end of standard input would end many an app, so `input` stays open.
        hub.send(to: nil)
        close(descriptor)
    }

    /// Replaces standard input by lines that the test sends.
    private func newStandardInput() -> CInt? {
        guard let (theirs, ours) = UnixSocket.pair() else { return nil }
        dup2(theirs, STDIN_FILENO)
        close(theirs)
        return ours
    }

    /// Ends an app that a test launched, when the test is gone; returns in an app that something else started.
    private func endWithTest(removingDirectory: Bool) {
        #if os(macOS) || os(Linux)
            guard let launchDirectory else { return }
            // A child removes the test's directory once this process has ended: until then it may still write there. It
            // waits for the end of its input, which only this process holds open.
            if removingDirectory, let (theirs, _) = UnixSocket.pair() {
                let null = open("/dev/null", O_RDWR | O_CLOEXEC)
                let directory = FilePath(launchDirectory).folder
                do throws(SystemError) {
                    _ = try ChildProcess(
                        ["/bin/sh", "-c", "cat; rm -rf -- \"$0\"", directory],
                        environment: ["PATH": "/usr/bin:/bin"],
                        streams: [theirs, null, null]
                    )
                } catch {
                    writeToStandardError("AppAutomation: \(directory) is left: \(error)")
                }
            }
            _exit(1)
        #endif
    }
}

/// Returns true if the test process that this directory belongs to is gone: while it lives, it holds a lock on it.
package func isAbandoned(_ directory: String) -> Bool {
    let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
}
