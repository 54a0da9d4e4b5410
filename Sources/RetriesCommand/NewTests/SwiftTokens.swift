/// A word, a sign or a part of a literal in Swift code.
struct SwiftToken {
    let text: String
    /// Counted from 1, in the file.
    let line: Int
    /// The spaces before it if it is the first of its line, else `nil`.
    let indentation: Int?
    /// The number of parentheses, brackets and braces that are open after it.
    let nesting: Int

    var isWord: Bool { text.unicodeScalars.first?.isPartOfWord == true || text.hasPrefix("`") }
    /// Whether it is an attribute, with its `@`, or a macro or directive, with its `#`.
    var isMarked: Bool { text.count > 1 && (text.hasPrefix("@") || text.hasPrefix("#")) }
    /// Whether it is an attribute of somebody's own, such as a wrapper, a macro or a global actor.
    var isOwnAttribute: Bool {
        text.hasPrefix("@") && text.dropFirst().first?.isUppercase == true
            && !["@MainActor", "@Suite", "@Testing.Suite"].contains(text)
    }
    /// The names in it: its own (`$user` names `user`), or those of an attribute. A macro cannot be declared among tests.
    var names: [String] {
        if isWord { return [text.filter { !"`$".contains($0) }] }
        return text.hasPrefix("@") ? text.dropFirst().split(separator: ".").map(String.init) : []
    }
}

/// Divides Swift code into tokens, without spaces and comments. It needs no compiler, and reads code that does not compile.
struct SwiftTokenizer {
    private let code: [Unicode.Scalar]
    private var position = 0, line = 1, nesting = 0
    /// `nil` after the first token of a line.
    private var lineStart: Int? = 0
    private var tokens: [SwiftToken] = []

    static func tokens(of text: String) -> [SwiftToken] {
        var tokenizer = SwiftTokenizer(code: Array(text.unicodeScalars))
        tokenizer.readCode()
        return tokenizer.tokens
    }

    private var scalar: Unicode.Scalar? { position < code.count ? code[position] : nil }

    private func has(_ text: String) -> Bool { code[position...].starts(with: text.unicodeScalars) }

    /// Reads to the end or, in a string, to the end of an interpolation.
    private mutating func readCode(isInString: Bool = false) {
        var depth = 0
        while let scalar {
            let start = position
            switch scalar {
            case "/" where has("//"): while let next = self.scalar, next != "\n" { position += 1 }
            case "/" where has("/*"): skipComment()
            case " ", "\t", "\r", "\n", "\u{FEFF}": skip()
            case _ where ["\"", "#", "/"].contains(scalar) && hasLiteral: readLiteral()
            default:
                depth += scalar == "(" ? 1 : scalar == ")" ? -1 : 0
                if isInString, depth < 0 { return }
                position += 1
                if scalar == "`" {
                    while let next = self.scalar, next != "\n", position == start + 1 || code[position - 1] != "`" {
                        position += 1
                    }
                } else if scalar.isPartOfWord || scalar == "@" || scalar == "#" {
                    while let next = self.scalar, next.isPartOfWord || scalar == "@" && (next == "." || has("::")) {
                        position += next == ":" ? 2 : 1
                    }
                } else if scalar == ":", self.scalar == ":" {
                    position += 1
                }
                add(from: start)
            }
        }
    }

    private mutating func skip() {
        position += 1
        if code[position - 1] == "\n" { (line, lineStart) = (line + 1, position) }
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            let change = has("/*") ? 1 : has("*/") ? -1 : 0
            depth += change
            if change != 0 { position += 2 } else { skip() }
        } while depth > 0 && position < code.count
    }

    private mutating func add(from start: Int, isLiteral: Bool = false) {
        var text = ""
        if isLiteral {
            // With a quote before it, no part of a literal is taken for code. Escaped, `é` differs from `e` and an accent.
            let own = code[start..<position].filter { $0 != "\r" }
            text = "\"" + own.map { $0.escaped(asASCII: true) }.joined()
        } else {
            text.unicodeScalars += code[start..<position]
            // `Testing::Test` is `Testing.Test`.
            if text == "::" { text = "." }
            if text.hasPrefix("@") { text = text.split(separator: ":").joined(separator: ".") }
        }
        // A comma after the last of several arguments is formatting.
        if text == ")" || text == "]", tokens.last?.text == "," { tokens.removeLast() }
        nesting += ["(", "[", "{"].contains(text) ? 1 : [")", "]", "}"].contains(text) ? -1 : 0
        let indentation = lineStart.map { start - $0 }
        tokens.append(SwiftToken(text: text, line: line, indentation: indentation, nesting: nesting))
        lineStart = nil
    }

    // MARK: - Strings and regular expressions

    private var fence: String { String(repeating: "#", count: code[position...].prefix { $0 == "#" }.count) }

    private var hasLiteral: Bool { has("\(fence)\"") || (scalar == "/" ? hasRegex : has("\(fence)/")) }

    /// Whether a slash begins a regular expression and is no operator: it stands where a value begins, and another slash ends
    /// it in the same line.
    private var hasRegex: Bool {
        let before = ["(", ",", "=", ":", "[", "{", "&", "|", "?", "return", "in", "case", "try", "await"]
        let after = code[(position + 1)...].prefix { $0 != "\n" }
        let end = zip(after, after.dropFirst()).first { $0 != "\\" && $1 == "/" }
        return (lineStart != nil || before.contains(tokens.last?.text ?? ""))
            && ![" ", "\t", ")"].contains(after.first)
            && end.map { $0.0 != " " } == true
    }

    /// The indentation of the line that ends a string of several lines, which is no part of any of its lines.
    private func indentation(before end: String) -> Int {
        var rest = code[position...]
        while let lineEnd = rest.firstIndex(of: "\n") {
            rest = code[(lineEnd + 1)...]
            let spaces = rest.prefix { $0 == " " || $0 == "\t" }.count
            if rest.dropFirst(spaces).starts(with: end.unicodeScalars) { return spaces }
        }
        return 0
    }

    /// Adds a token for each line of a literal, and for each part around interpolations, whose code is read as all other.
    private mutating func readLiteral() {
        var start = position
        let (fence, isString) = (fence, has("\(fence)\""))
        // Three quotes with something after them are a string of one line, such as `#"""#`.
        let isLong = isString ? has("\(fence)\"\"\"\n") || has("\(fence)\"\"\"\r") : !fence.isEmpty
        let end = (isString ? isLong ? "\"\"\"" : "\"" : "/") + fence
        let margin = isLong && isString ? indentation(before: end) : .max
        position += end.count
        while let scalar, isLong || scalar != "\n" {
            if has(end) {
                position += end.count
                break
            } else if scalar == "\n" {
                add(from: start, isLiteral: true)
                skip()
                start = position
                while position - start < margin, self.scalar == " " || self.scalar == "\t" { position += 1 }
                start = position
            } else if isString, has("\\\(fence)(") {
                position += fence.count + 2
                add(from: start, isLiteral: true)
                readCode(isInString: true)
                start = position
            } else {
                position += has("\\\(fence)") && (isString || fence.isEmpty) ? fence.count + 1 : 0
                if self.scalar != "\n" { position += 1 }
            }
        }
        position = min(position, code.count)
        add(from: start, isLiteral: true)
    }
}

extension String {
    /// A name without back quotes.
    var unquoted: String { filter { $0 != "`" } }
}

extension Unicode.Scalar {
    fileprivate var isPartOfWord: Bool {
        properties.isIDContinue || self == "$" || value >= 0x80 && !Self.operators.contains { $0 ~= value }
    }

    /// The signs beyond ASCII that only operators may have, such as `√` and `≈`.
    private static let operators: [ClosedRange<UInt32>] = [
        0xA1...0xA7, 0xA9...0xA9, 0xAB...0xAC, 0xAE...0xAE, 0xB0...0xB1, 0xB6...0xB6, 0xBB...0xBB, 0xBF...0xBF,
        0xD7...0xD7, 0xF7...0xF7, 0x2010...0x205E, 0x2190...0x23FF, 0x2500...0x2775, 0x2794...0x2BFF, 0x2E00...0x2E7F,
        0x3001...0x3030,
    ]
}
