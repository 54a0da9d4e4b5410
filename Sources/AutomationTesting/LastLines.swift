import Foundation

/// The end of what an app wrote, as much as a person reads in a failure's message.
///
/// Enough for the reason of a crash and the short backtrace after it.
struct LastLines {
    private static let mostLines = 30
    private static let mostCharacters = 4000

    /// No more bytes than can be shown: an app may have written millions of lines. Four make a character, at most.
    private let bytes: [UInt8]

    init(_ output: [UInt8]) {
        bytes = Array(output.suffix(Self.mostCharacters * 4))
    }

    func message(named name: String) -> String {
        // One more, for what follows the last line feed: most often nothing.
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .suffix(Self.mostLines + 1)
        let last = lines.joined(separator: "\n").suffix(Self.mostCharacters).trimmingCharacters(in: .newlines)
        return last.isEmpty ? "no \(name) of the app" : "the app's last \(name):\n\(last)"
    }
}
