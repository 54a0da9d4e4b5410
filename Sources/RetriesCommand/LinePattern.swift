import Foundation

/// A regular expression of this program, in which `^` and `$` match at every line. Swift's own `Regex` needs macOS 13.
struct LinePattern: Sendable {
    private let expression: NSRegularExpression

    /// - Precondition: `pattern` is valid, which the tests show for each pattern of the program.
    init(_ pattern: StaticString) {
        do {
            expression = try NSRegularExpression(pattern: "\(pattern)", options: .anchorsMatchLines)
        } catch {
            preconditionFailure("\(pattern) is not a regular expression: \(error)")
        }
    }

    /// The texts of the groups in each match; empty for a group that took no part in it.
    func groups(in text: String) -> [[String]] {
        expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
            (1..<match.numberOfRanges).map { Range(match.range(at: $0), in: text).map { String(text[$0]) } ?? "" }
        }
    }
}
