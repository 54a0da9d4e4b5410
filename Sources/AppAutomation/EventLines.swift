/// Puts events together from the pieces of lines that they arrive in.
package struct EventLines {
    /// A line of the longest name, every byte of it escaped, with room for what comes before the name.
    private static let longestLine = 2 * EventHub.longestName + 100

    private var rest: [UInt8] = []

    package init() {}

    /// The events in the lines that these bytes complete. A line that is longer than any of ours is none.
    package mutating func append(_ bytes: [UInt8]) -> [AutomationEvent] {
        var events: [AutomationEvent] = []
        var pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let unfinished = pieces.removeLast()
        for piece in pieces {
            keep(piece)
            if rest.count <= Self.longestLine, let event = AutomationEvent(line: rest) { events.append(event) }
            rest.removeAll(keepingCapacity: true)
        }
        keep(unfinished)
        return events
    }

    /// Keeps no more of a line than shows that it is too long, so that a line without end does not fill the memory.
    private mutating func keep(_ piece: ArraySlice<UInt8>) {
        rest += piece.prefix(Self.longestLine + 1 - rest.count)
    }
}
