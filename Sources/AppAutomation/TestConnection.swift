import Foundation
import Groundwork

/// The app's end of the socket on which a test hears of checkpoints.
struct TestConnection: Sendable {
    private let descriptor: CInt
    /// The sockets that this process is connected to. A test lets an app in once.
    private static let connected = Locked<Set<String>>([])

    /// Sends on what the hub hears to the socket at this path; does nothing if that is done already.
    static func carry(_ hub: EventHub, to path: String) throws {
        try connected.withLock { connected in
            guard !connected.contains(path) else { return }
            TestConnection(descriptor: try UnixSocket.connect(to: path)).carry(hub)
            connected.insert(path)
        }
    }

    /// Sends on whatever the hub hears from now on, and ends the process once the test is gone.
    ///
    /// Sending blocks while the test's end is full: the test reads all the time, so this is short, and nothing is lost.
    private func carry(_ hub: EventHub) {
        let descriptor = descriptor
        // An error means that the other end is gone, which the thread below notices too.
        _ = hub.listen(hearingElements: true) { event in
            guard let line = event.line else { return }
            _ = UnixSocket.send(line, to: descriptor)
        }
        Thread.detachNewThread {
            UnixSocket.waitForEnd(of: descriptor)
            // The test that launched this app has ended or died: nobody is left to end the app, and nothing to save.
            UnixSocket.endProcess()
        }
    }
}

/// A socket for checkpoints that cannot be opened.
public struct AutomationSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the socket is, or should be.
    public let path: String
    /// What stands in the way.
    public let cause: String

    package init(path: String, cause: String) {
        self.path = path
        self.cause = cause
    }

    /// The place and the cause.
    public var description: String {
        "the socket for checkpoints at \(path) cannot be opened: \(cause)"
    }
}
