import Foundation
import Groundwork

/// Something that an app posted or announced, and when.
package struct AutomationEvent: Hashable, Codable, Sendable {
    package enum Kind: Hashable, Codable, Sendable, CustomStringConvertible {
        case checkpoint(Checkpoint)
        case element(ElementIdentifier, ElementState)
        /// The app's end, for this reason. Posted on the test's side alone, never sent.
        case end(String)

        package var description: String {
            switch self {
            case .checkpoint(let checkpoint): "checkpoint \"\(checkpoint)\""
            case .element(let identifier, let state): "element \"\(identifier)\" \(state.rawValue)"
            case .end(let reason): reason
            }
        }
    }

    package let kind: Kind
    /// In nanoseconds of the monotonic clock, which all processes of a machine share.
    package let time: UInt64

    package init(_ kind: Kind) {
        self.kind = kind
        time = DispatchTime.now().uptimeNanoseconds
    }
}

/// The form of events on a socket, a line of JSON each, put together again from the pieces that arrive.
///
/// Lines are taken apart by bytes. By characters, a name that begins with a combining mark would swallow what is before it.
package struct EventLines {
    private static let end = UInt8(ascii: "\n")

    private var rest: [UInt8] = []

    package init() {}

    /// Returns the line of an event, with its end.
    package static func line(of event: AutomationEvent) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(event)) + [end]
        } catch {
            writeToStandardError("AppAutomation: not sent: \(event.kind): \(error)")
            return []
        }
    }

    /// Returns the events in the lines that these bytes complete. Any other line, such as another version's, is left out.
    package mutating func append(_ bytes: [UInt8]) -> [AutomationEvent] {
        var lines = (rest + bytes).split(separator: Self.end, omittingEmptySubsequences: false)
        rest = Array(lines.removeLast())
        return lines.compactMap { line in
            do { return try JSONDecoder().decode(AutomationEvent.self, from: Data(line)) } catch {
                let start = String(decoding: line.prefix(200), as: UTF8.self)
                writeToStandardError("AutomationTesting: not an event, so left out: \(start)")
                return nil
            }
        }
    }
}

/// Passes an app's events on to listeners. A process has one hub for its own events; a test has one more for each app that it
/// is connected to.
package final class EventHub: Sendable {
    package static let shared = EventHub()

    package typealias Listener = @Sendable (AutomationEvent) -> Void

    private struct State {
        var listeners: [ObjectIdentifier: Listener] = [:]
        var elements: [ElementIdentifier: AutomationEvent] = [:]
        var end: AutomationEvent?
        /// The connection to the test, in an app that has one.
        var socket: CInt?

        mutating func deliver(_ event: AutomationEvent) {
            switch event.kind {
            case .checkpoint: break
            case .element(let identifier, _): elements[identifier] = event
            case .end:
                // Nothing is on the screen of an app that has ended.
                elements.removeAll()
                end = event
            }
            for listener in listeners.values { listener(event) }
        }
    }

    private let state = Locked(State())

    package init() {}

    /// Posts an event of this process, to its listeners and to its test.
    ///
    /// The time is taken and the line is sent under one lock, so that lines are in the order of their times. Sending blocks
    /// while the socket is full, which is short because the test reads all the time; nothing is lost. Standard output is
    /// flushed first, because the C library writes to a pipe only when its buffer is full.
    package func post(_ kind: AutomationEvent.Kind) {
        state.withLock { state in
            if state.socket != nil { flushOutput() }
            let event = AutomationEvent(kind)
            // A line is cut only if the test is gone, and then it has no reader.
            if let socket = state.socket { _ = UnixSocket.send(EventLines.line(of: event), to: socket) }
            state.deliver(event)
        }
    }

    /// Sends all events from now on to a socket as well, or to none.
    package func send(to socket: CInt?) { state.withLock { $0.socket = socket } }

    /// Takes over an event that another process posted. A checkpoint without a listener is not kept.
    package func receive(_ event: AutomationEvent) {
        state.withLock { $0.deliver(event) }
    }

    /// Lets an object receive events from now on, until ``stopListening(_:)``.
    ///
    /// It first receives the newest announcement about each element that is not older than `elementsSince`, and the end if it
    /// has come. It receives events one at a time, in their order, while the hub is locked: it must be quick and must not
    /// call the hub.
    package func listen(_ object: AnyObject, elementsSince: UInt64, _ receive: @escaping Listener) {
        state.withLock { state in
            for element in state.elements.values where element.time >= elementsSince { receive(element) }
            if let end = state.end { receive(end) }
            state.listeners[ObjectIdentifier(object)] = receive
        }
    }

    package func stopListening(_ object: AnyObject) {
        state.withLock { $0.listeners[ObjectIdentifier(object)] = nil }
    }
}
