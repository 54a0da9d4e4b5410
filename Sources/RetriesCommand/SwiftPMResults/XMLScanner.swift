/// Reads XML tag by tag, as far as it takes to find elements. Foundation's parser would have every start of the command load
/// libxml2, which takes longer than most of what the command does.
struct XMLScanner {
    /// The beginning or the end of an element; an empty one has both.
    struct Tag {
        var name: String
        var isEnd: Bool
        var attributes: [String: String] = [:]
        /// What stands between the tag before and this one.
        var text: String
    }

    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private let bytes: [UInt8]
    private var position = 0
    /// Where the last tag ended.
    private var end = 0
    private var open: [String] = []
    /// Whether the last tag was that of an empty element, whose end comes next.
    private var isEmpty = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next tag; `nil` at the end. Elements that are not closed, or closed twice, are problems.
    mutating func next() throws(Problem) -> Tag? {
        if isEmpty, let name = open.popLast() {
            isEmpty = false
            return Tag(name: name, isEnd: true, text: "")
        }
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = start
            guard try !skipRemark() else { continue }
            let tag = try tag()
            end = position
            if !tag.isEnd {
                open.append(tag.name)
            } else if open.popLast() != tag.name {
                throw problem("</\(tag.name)> closes nothing")
            }
            return tag
        }
        guard let unclosed = open.last else { return nil }
        throw problem("it ends before </\(unclosed)>")
    }

    /// Steps over what is no element, if that comes next.
    private mutating func skipRemark() throws(Problem) -> Bool {
        for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")]
        where bytes[position...].starts(with: opening.utf8) {
            let rest = (position + opening.utf8.count)..<bytes.count
            guard let end = rest.first(where: { bytes[$0...].starts(with: closing.utf8) }) else {
                throw problem("\(opening) has no \(closing)")
            }
            position = end + closing.utf8.count
            return true
        }
        return false
    }

    private mutating func tag() throws(Problem) -> Tag {
        let text = bytes[end..<position]
        position += 1
        let isEnd = skip(UInt8(ascii: "/"))
        var tag = Tag(name: word(), isEnd: isEnd, text: XMLText.plain(String(decoding: text, as: UTF8.self)))
        guard !tag.name.isEmpty else { throw problem("expected the name of an element") }
        while true {
            skipWhiteSpace()
            if skip(UInt8(ascii: ">")) { return tag }
            if !isEnd, skip(UInt8(ascii: "/")) {
                guard skip(UInt8(ascii: ">")) else { throw problem("expected > after /") }
                isEmpty = true
                return tag
            }
            let key = word()
            skipWhiteSpace()
            guard !key.isEmpty, skip(UInt8(ascii: "=")) else { throw problem("expected an attribute or >") }
            tag.attributes[key] = try value()
        }
    }

    private mutating func value() throws(Problem) -> String {
        skipWhiteSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'"),
            let end = bytes[(position + 1)...].firstIndex(of: bytes[position])
        else { throw problem("expected a quoted value") }
        defer { position = end + 1 }
        return XMLText.plain(String(decoding: bytes[(position + 1)..<end], as: UTF8.self))
    }

    private mutating func word() -> String {
        let start = position
        while position < bytes.count, !" \t\r\n=<>/\"'".utf8.contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count, " \t\r\n".utf8.contains(bytes[position]) { position += 1 }
    }

    private func problem(_ words: String) -> Problem {
        let line = bytes[..<min(position, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
        return Problem(description: "\(words), in line \(line)")
    }
}
