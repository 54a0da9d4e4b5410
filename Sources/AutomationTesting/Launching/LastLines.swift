import Foundation

/// The end of what an app wrote, as much as a person reads in a failure's message: enough for the reason of a crash and the
/// short backtrace after it.
func lastLines(of output: String, named name: String) -> String {
    let (mostLines, mostCharacters) = (30, 4000)
    // No more bytes than can be shown, without looking at the rest. Four make a scalar, at most.
    let end = String(decoding: output.utf8.suffix(4 * mostCharacters), as: UTF8.self)
    // By scalars: a carriage return and a line feed are one character. One line more, for what follows the last line feed:
    // most often nothing.
    let lines = end.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).suffix(mostLines + 1)
    let last = lines.map { String($0) }.joined(separator: "\n").suffix(mostCharacters)
        .trimmingCharacters(in: .newlines)
    return last.isEmpty ? "no \(name) of the app" : "the app's last \(name):\n\(last)"
}
