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
        // The description of an NSError on Apple's systems, whose quotes are not those of a value.
        ("(Code=-?\\d+) \"((?s:(?:(?! Code=).)*?))\"(?= ?UserInfo=)", "$1 $2"),
        // Of Foundation's errors, in another order in each process, to the brace before what else is said. It may be cut off.
        ("UserInfo=\\{(?s:.*?\\}(?=\"?\\)?(?: - |: | == | != | was |\\s*\\z))|.*)", "UserInfo={…}"),
        // The frameworks' own quotes, around what tells one error or expectation from another.
        (
            "((?:threw error|caught error:|was expected:|expected error) )\"((?s:.*?))(?:\"(?= of type | - |\\s*\\z)|\\z)",
            "$1$2"
        ),
        (", but \"((?s:.*?))\"(?= of type | was thrown)", ", but $1"),
        ("(unfulfilled expectations: |\\G, )\"([^\"]*)\"", "$1$2"),
        ("XCTAssertNil failed: \"(?s:.*?)\"(?= - |\\s*\\z)", "XCTAssertNil failed: \(value)"),
        // A value of XCTAssertEqual and the like, which may have quotes and parentheses in it.
        ("\\(\"(?s:.*?)\"\\)(?= is | - | \\+/- |\\s*\\z)", "(\(value))"),
        // A text of an expectation.
        ("→ \"(?s:.*?)\"(?=, [^\"→]* → |\\)(?:[ .,:]|\\s*\\z))", "→ \(value)"),
        ("\"[^\"]*\"|“[^”]*”|‘[^’]*’|«[^»]*»|`[^`]*`|(?<!\\w)'[^']*'(?!\\w)", value),
        ("\(value)(?:,\\s*\(value))+", value),
        ("\\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\\b", "#"),
        // A name such as `http2GoAway`, or a value such as `user42`; no part of a token.
        ("\\b(?=[A-Fa-f]*[G-Zg-z])([A-Za-z]{2,})\\d+(?=[A-Z_][A-Za-z_]*\\b|\\b)", "$1#"),
        ("\\w*\\d\\w*", "#"),
        ("#\\s*(?:[nuµm]?s|secs?|seconds?|mins?|minutes?|h|hours?|[AP]M)\\b", "#"),
        // The parts of a time, a decimal number or a list, and its sign.
        ("(?<!\\w)[-+]?#(?:[-+.:,/\\s]*#)*", "#"),
        // A plural.
        ("# (\\w{3,})s\\b", "# $1"),
    ]

    /// On Linux, the description of an NSError is in its user info, where errors that it has for a cause have theirs.
    private static let description = LinePattern(#"NSLocalizedDescription=((?:(?!, \w+=)[^{}])*)"#)

    init(_ message: String) {
        func constant(_ text: String) -> String {
            Self.replacements.reduce(text) { text, replacement in
                text.replacingOccurrences(of: replacement.pattern, with: replacement.by, options: .regularExpression)
            }
        }
        let message = message.cut(to: 2000)
        text = constant(message)
        let all = [text] + Self.description.groups(in: message).joined().map(constant)
        // Each once, as a description may be there twice.
        words = Set(all.flatMap { $0.split { $0.isWhitespace || "()[],:".contains($0) } }).subtracting(Self.values)
            .sorted()
    }

    static func == (first: FailureKind, second: FailureKind) -> Bool { first.words == second.words }
    func hash(into hasher: inout Hasher) { hasher.combine(words) }
}
