import Foundation
import Groundwork

/// The part of a failure's message that stays the same when the same failure occurs again.
struct FailureKind: Hashable {
    /// The message with `#` for numbers, times, addresses and UUIDs, and `"…"` for quoted values.
    let text: String
    /// Its words, sorted, as sets and dictionaries have another order in each process. Placeholders for values are left out: next
    /// time a list may be longer, or a value missing.
    private let words: [Substring]

    private static let value = "\"…\""
    private static let values: Set<Substring> = ["#", value[...], "nil", "Optional", "nan", "inf"]

    /// The patterns of the parts that change, in the order in which they are replaced.
    private static let replacements: [(pattern: String, by: String)] = [
        // Of Foundation's errors, in another order in each process, to the brace before what else is said. It may be cut off.
        ("UserInfo=\\{(?s:.*?\\}(?=\"?\\)?(?: - |: | == | != |\\s*\\z))|.*)", "UserInfo={…}"),
        // XCTest's own quotes, around what tells one error from another.
        ("threw error \"((?s:.*?))(?:\"(?= - |\\z)|\\z)", "threw error $1"),
        ("failed: \"(?s:.*?)\"(?= - |\\s*\\z)", "failed: \(value)"),
        // A value of XCTAssertEqual and the like, which may have quotes and parentheses in it.
        ("\\(\"(?s:.*?)\"\\)(?= is | - | \\+/- |\\s*\\z)", "(\(value))"),
        // A text of an expectation.
        ("→ \"(?s:.*?)\"(?=, [^\"→]* → |\\)(?:[ .,:]|\\s*\\z))", "→ \(value)"),
        ("\"[^\"]*\"|“[^”]*”|‘[^’]*’|«[^»]*»|`[^`]*`|(?<!\\w)'[^']*'(?!\\w)", value),
        ("\(value)(?:,\\s*\(value))+", value),
        ("\\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\\b", "#"),
        ("\\w*\\d\\w*", "#"),
        ("#\\s*(?:[nuµm]?s|secs?|seconds?|mins?|minutes?|h|hours?|[AP]M)\\b", "#"),
        // The parts of a time, a decimal number or a list, and its sign.
        ("(?<!\\w)[-+]?#(?:[-+.:,/\\s]*#)*", "#"),
        // A plural.
        ("# (\\w{3,})s\\b", "# $1"),
    ]

    init(_ message: String) {
        text = Self.replacements.reduce(message.cut(to: 2000)) { text, replacement in
            text.replacingOccurrences(of: replacement.pattern, with: replacement.by, options: .regularExpression)
        }
        words = text.split { $0.isWhitespace || "()[],:".contains($0) }.filter { !Self.values.contains($0) }.sorted()
    }

    static func == (first: FailureKind, second: FailureKind) -> Bool { first.words == second.words }
    func hash(into hasher: inout Hasher) { hasher.combine(words) }
}
