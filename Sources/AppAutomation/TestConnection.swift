import Foundation
import Groundwork

/// The environment variables that connect an app to its test.
package enum AutomationVariable {
    /// The path of the socket that the test listens on.
    package static let socket = "APP_AUTOMATION_SOCKET"
    /// The directory for what the app keeps.
    package static let state = "APP_AUTOMATION_STATE"
    /// The directory of a launch; set only in an app that `launchApp` started, and in its children.
    package static let launch = "APP_AUTOMATION_LAUNCH"
}

/// The app's end of the connection to its test.
enum TestConnection {
    private static let isMade = Locked(false)

    /// Connects to the test that these variables name, once in a process. A thread of its own serves the connection, so that a
    /// busy app cannot delay it.
    static func make(_ environment: [String: String]) {
        guard let socket = environment[AutomationVariable.socket] else { return }
        if isMade.withLock({ exchange(&$0, with: true) }) { return }
        // An app that `launchApp` started ends with its test.
        let wasLaunched = environment[AutomationVariable.launch] != nil
        // Unset, so that a helper which the app starts does not connect in its place.
        unsetenv(AutomationVariable.socket)
        do {
            let descriptor = try UnixSocket.connect(to: socket)
            EventHub.shared.send(to: descriptor)
            guard wasLaunched else { return try serveInput(descriptor) }
            Thread.detachNewThread {
                while UnixSocket.read(descriptor) != nil {}
                _exit(1)
            }
        } catch {
            writeToStandardError("AppAutomation: \(error)")
            if wasLaunched { _exit(1) }
        }
    }

    /// Replaces the app's standard input, before the app reads from it, with the lines that the test sends.
    private static func serveInput(_ descriptor: CInt) throws {
        let (theirs, ours) = try UnixSocket.pair()
        // It is that itself if the app was started with a closed one.
        if theirs != STDIN_FILENO {
            dup2(theirs, STDIN_FILENO)
            close(theirs)
        }
        Thread.detachNewThread {
            while let bytes = UnixSocket.read(descriptor) { _ = UnixSocket.send(bytes, to: ours) }
            // Many apps end at the end of standard input, so `ours` stays open.
            EventHub.shared.send(to: nil)
            close(descriptor)
        }
    }
}
