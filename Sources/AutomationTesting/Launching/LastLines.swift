import Foundation

/// The end of what an app wrote, as much as a person reads in a failure's message.
///
/// Enough for the reason of a crash and the short backtrace after it.
struct LastLines {
    private static let mostLines = 30
    private static let mostCharacters = 4000

    private let text: String

    init(_ output: String) {
        // No more bytes than can be shown, without looking at the rest. Four make a scalar, at most.
        text = String(decoding: output.utf8.suffix(Self.mostCharacters * 4), as: UTF8.self)
    }

    func message(named name: String) -> String {
        // By scalars: a carriage return and a line feed are one character. One line more, for what follows the last line
        // feed: most often nothing.
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).suffix(
            Self.mostLines + 1
        )
        let last = lines.map { String($0) }.joined(separator: "\n").suffix(Self.mostCharacters)
            .trimmingCharacters(in: .newlines)
        return last.isEmpty ? "no \(name) of the app" : "the app's last \(name):\n\(last)"
    }
}
