import Foundation
import Groundwork

/// The environment variables by which a test hands an app its place.
package enum AutomationVariable {
    /// The path of the socket that the test listens on.
    package static let socket = "APP_AUTOMATION_SOCKET"
    /// The directory for what the app keeps.
    package static let state = "APP_AUTOMATION_STATE"
    /// The directory of a launch, inside the one of its test process; only an app that `launchApp` started has it.
    package static let launch = "APP_AUTOMATION_LAUNCH"
}

/// The app's end of the connection to its test.
struct TestConnection: Sendable {
    private static let isMade = Locked(false)
    /// The directory of the test process and the connection to it, in an app that a test launched.
    private static let test = Locked<(directory: String, connection: CInt)?>(nil)

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
            if let launchDirectory { Self.watchEnd(of: FilePath(launchDirectory).folder, descriptor) }
            // Before the app reads from it.
            let input = launchDirectory == nil ? newStandardInput() : nil
            Thread.detachNewThread { serve(descriptor, hub, input) }
        } catch {
            writeToStandardError("AppAutomation: \(error)")
            guard let launchDirectory else { return }
            // The test may be there and refuse this process, because it is connected to another. One that has just been
            // killed keeps its lock for a moment.
            let directory = FilePath(launchDirectory).folder
            for _ in 0..<10 where !isAbandoned(directory) { usleep(10_000) }
            if isAbandoned(directory) { Self.remove(directory) }
            _exit(1)
        }
    }

    private func serve(_ descriptor: CInt, _ hub: EventHub, _ input: CInt?) {
        while let bytes = UnixSocket.read(descriptor) {
            if let input { _ = UnixSocket.send(bytes, to: input) }
        }
        if launchDirectory != nil {
            if let test = Self.test.withLock({ $0.take() }) { Self.remove(test.directory) }
            _exit(1)
        }
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

    /// Has the test's directory removed, too, if the app ends by itself because its test was killed.
    private static func watchEnd(of directory: String, _ connection: CInt) {
        test.withLock { $0 = (directory, connection) }
        // A write to the pipes of a test that is gone. A handler that does nothing is not inherited by the app's children, as
        // ignoring the signal would be.
        signal(SIGPIPE) { _ in }
        // The end of its input ends many an app, perhaps before the thread has noticed the end of the connection.
        atexit {
            guard let test = TestConnection.test.withLock({ $0.take() }) else { return }
            var byte: UInt8 = 0
            let isInputOver = recv(STDIN_FILENO, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) == 0
            // A test sends nothing to such an app, so there is nothing to be read but the end.
            let end = UnixSocket.ready([test.connection], until: .now() + (isInputOver ? 0.1 : 0))
            if !end.isEmpty { TestConnection.remove(test.directory) }
        }
    }

    /// Removes the directory of the test process once this process has ended: until then it may still write there.
    private static func remove(_ directory: String) {
        #if os(macOS) || os(Linux)
            _ = DirectoryRemoval(of: directory)
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

#if os(macOS) || os(Linux)
    /// A child that removes a directory on demand or when this process has ended, however it ends.
    package struct DirectoryRemoval: Sendable {
        private let child: ChildProcess
        /// The child waits for the end of its input, which only this process holds open.
        private let input: CInt

        /// Starts the child; nothing is removed if it cannot be started.
        package init?(of directory: String) {
            guard let (theirs, ours) = UnixSocket.pair() else { return nil }
            let null = open("/dev/null", O_RDWR | O_CLOEXEC)
            defer { [theirs, null].forEach { close($0) } }
            // An app may have locked its folders.
            let script = #"cat; rm -rf -- "$0" || { chmod -R u+rwX -- "$0"; rm -rf -- "$0"; }"#
            do throws(SystemError) {
                child = try ChildProcess(
                    ["/bin/sh", "-c", script, directory],
                    environment: ["PATH": "/usr/bin:/bin"],
                    streams: [theirs, null, null],
                    closing: []
                )
            } catch {
                close(ours)
                return nil
            }
            input = ours
        }

        /// Removes the directory now, and waits until that is done.
        package func finish() {
            close(input)
            _ = child.waitForEnd {}
        }
    }
#endif
