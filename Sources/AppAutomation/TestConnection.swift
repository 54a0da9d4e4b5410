import Foundation
import Groundwork

/// The app's end of the socket on which a test hears of checkpoints.
enum TestConnection {
    /// The sockets that this process is connected to. A test lets an app in once.
    private static let connected = Locked<Set<String>>([])

    /// Forwards whatever the hub hears from now on to the socket at this path, and posts the fences that the test asks for,
    /// so that they go back to it in their place among the events. Does nothing if that is done already.
    ///
    /// Sending blocks while the test's end is full: the test reads all the time, so this is short, and nothing is lost.
    static func carry(_ hub: EventHub, to path: String) throws {
        try connected.withLock { connected in
            guard !connected.contains(path) else { return }
            let descriptor = try UnixSocket.connect(to: path)
            connected.insert(path)
            // A line is cut only if the test is gone, and then it has no reader.
            _ = hub.listen(hearingElements: true) { event in
                _ = UnixSocket.send(EventLines.line(of: event), to: descriptor)
            }
            // A thread of its own, so that the app answers however busy it is.
            Thread.detachNewThread {
                var lines = EventLines()
                while let bytes = UnixSocket.read(descriptor) {
                    for event in lines.append(bytes) { hub.post(event) }
                }
            }
        }
    }
}

/// A socket for checkpoints that cannot be opened.
public struct AutomationSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the socket is, or should be.
    public let path: String
    /// What stands in the way.
    public let cause: String

    /// The place and the cause.
    public var description: String {
        "the socket for checkpoints at \(path) cannot be opened: \(cause)"
    }
}
