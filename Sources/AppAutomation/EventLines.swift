import Foundation
import Groundwork

/// How events go over a socket: each is a line of JSON. They are put together again from the pieces that arrive.
///
/// Lines are taken apart by bytes. By characters, a name that begins with a combining mark would swallow what is before it.
package struct EventLines {
    private static let end = UInt8(ascii: "\n")

    private var rest: [UInt8] = []

    package init() {}

    /// The line of an event, with its end.
    package static func line(of event: AutomationEvent) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(event)) + [end]
        } catch {
            writeToStandardError("AppAutomation: not sent: \(event): \(error)")
            return []
        }
    }

    /// The events in the lines that these bytes complete. A line that is none of ours is left out.
    package mutating func append(_ bytes: [UInt8]) -> [AutomationEvent] {
        var lines = (rest + bytes).split(separator: Self.end, omittingEmptySubsequences: false)
        rest = Array(lines.removeLast())
        return lines.compactMap { try? JSONDecoder().decode(AutomationEvent.self, from: Data($0)) }
    }
}
