/// What an app wrote to one stream: all of it or, if that is too much to keep in memory, its first and its last part.
struct KeptOutput {
    /// Of each part, in bytes.
    private let most: Int
    private var first: [UInt8] = []
    private var last: [UInt8] = []
    private var leftOut = 0

    init(limit: Int) {
        most = max(limit, 0) / 2
    }

    mutating func append(_ bytes: [UInt8]) {
        let room = most - first.count
        first += bytes.prefix(room)
        last += bytes.dropFirst(room)
        // Only at twice as much: so no more bytes are moved than have come since the last time.
        if last.count > 2 * most { cut() }
    }

    private mutating func cut() {
        let excess = max(last.count - most, 0)
        last.removeFirst(excess)
        leftOut += excess
    }

    /// As text, with a line between the parts that says how much is left out.
    var text: String {
        var kept = self
        kept.cut()
        guard kept.leftOut > 0 else { return String(decoding: kept.first + kept.last, as: UTF8.self) }
        return String(decoding: kept.first, as: UTF8.self) + "\n[\(kept.leftOut) bytes are left out here]\n"
            + String(decoding: kept.last, as: UTF8.self)
    }
}
