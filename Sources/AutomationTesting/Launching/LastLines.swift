import Foundation

/// The end of what an app wrote, as much as a person reads in a failure's message: at most 30 lines and 4,000 characters,
/// enough for the reason of a crash and the short backtrace after it.
func lastLines(of output: String, named name: String) -> String {
    // No more bytes than can be shown, without looking at the rest. Four make a scalar, at most.
    let end = String(decoding: output.utf8.suffix(4 * 4000), as: UTF8.self)
    // By scalars: a carriage return and a line feed are one character. One line more, for what follows the last line feed:
    // most often nothing.
    let lines = end.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).suffix(30 + 1)
    let last = lines.map { String($0) }.joined(separator: "\n").suffix(4000).trimmingCharacters(in: .newlines)
    return last.isEmpty ? "no \(name) of the app" : "the app's last \(name):\n\(last)"
}
