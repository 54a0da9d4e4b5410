import AppAutomation
import Foundation

/// The end of an app's output on one stream: all of it, unless that is too much to keep in memory.
struct KeptOutput: Sendable {
    let descriptor: CInt
    /// True once nothing comes any more.
    private(set) var hasEnded = false
    private let limit: Int
    private var bytes: [UInt8] = []
    private var leftOut = 0

    init(of descriptor: CInt, limit: Int) {
        // While the stream has nothing, reading it returns nothing, instead of blocking.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        self.descriptor = descriptor
        self.limit = max(limit, 0)
    }

    /// Reads all that the stream holds.
    mutating func read() {
        // As much as the largest pipe that a user can have on Linux holds: a process that writes without a pause would keep
        // a reader without a limit.
        var left = 1 << 20
        while left > 0, !hasEnded {
            guard let bytes = UnixSocket.read(descriptor) else { return hasEnded = true }
            append(bytes)
            left = bytes.isEmpty ? 0 : left - bytes.count
        }
    }

    mutating func close() {
        hasEnded = true
        Foundation.close(descriptor)
    }

    mutating func append(_ new: [UInt8]) {
        bytes += new
        // Only at twice as much: so no more bytes are moved than have come since the last time.
        guard bytes.count > 2 * limit else { return }
        leftOut += bytes.count - limit
        bytes.removeFirst(bytes.count - limit)
    }

    /// As text, after a line that says how much came before.
    var text: String {
        let end = bytes.suffix(limit)
        let before = leftOut + bytes.count - end.count
        return (before > 0 ? "[\(before) bytes came before]\n" : "") + String(decoding: end, as: UTF8.self)
    }

    /// As much as a person reads in a failure's message: enough for the reason of a crash and the short backtrace after it.
    func lastLines(named name: String) -> String {
        let (mostLines, mostCharacters) = (30, 4000)
        // No more bytes than can be shown. Four make a scalar, at most.
        let end = String(decoding: bytes.suffix(min(limit, 4 * mostCharacters)), as: UTF8.self)
        // By scalars: a carriage return and a line feed are one character. One line more, for what follows the last line
        // feed: most often nothing.
        let lines = end.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).suffix(mostLines + 1)
        let last = lines.map { String($0) }.joined(separator: "\n").suffix(mostCharacters)
            .trimmingCharacters(in: .newlines)
        return last.isEmpty ? "no \(name) of the app" : "the app's last \(name):\n\(last)"
    }
}
