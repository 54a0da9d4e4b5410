/// Reads XML tag by tag, as far as it takes to find elements and where they lie.
struct XMLScanner {
    struct Tag {
        enum Kind {
            case opening, closing, empty
        }

        var kind: Kind
        var name: String
        /// From `<` to after `>`.
        var range: Range<Int>
        var attributes: [String: String]
    }

    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    let bytes: [UInt8]
    private var position = 0
    private var open: [String] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next tag; `nil` at the end. Elements that are not closed, or closed twice, are problems.
    mutating func next() throws(Problem) -> Tag? {
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = start
            guard try !skipRemark() else { continue }
            let tag = try tag()
            switch tag.kind {
            case .opening: open.append(tag.name)
            case .closing:
                guard open.popLast() == tag.name else { throw problem("</\(tag.name)> closes nothing") }
            case .empty: break
            }
            return tag
        }
        guard let unclosed = open.last else { return nil }
        throw problem("it ends before </\(unclosed)>")
    }

    /// Steps over what is no element, if that comes next.
    private mutating func skipRemark() throws(Problem) -> Bool {
        if try skip("<!--", to: "-->") { return true }
        if try skip("<![CDATA[", to: "]]>") { return true }
        if try skip("<?", to: "?>") { return true }
        return try skip("<!", to: ">")
    }

    private mutating func skip(_ opening: StaticString, to closing: StaticString) throws(Problem) -> Bool {
        guard opening.withUTF8Buffer({ bytes[position...].starts(with: $0) }) else { return false }
        var end = position + opening.utf8CodeUnitCount
        while end < bytes.count {
            if closing.withUTF8Buffer({ bytes[end...].starts(with: $0) }) {
                position = end + closing.utf8CodeUnitCount
                return true
            }
            end += 1
        }
        throw problem("\(opening) has no \(closing)")
    }

    private mutating func tag() throws(Problem) -> Tag {
        let start = position
        position += 1
        let isClosing = skip(UInt8(ascii: "/"))
        let name = word()
        guard !name.isEmpty else { throw problem("expected the name of an element") }
        var attributes: [String: String] = [:]
        while true {
            skipWhiteSpace()
            if skip(UInt8(ascii: ">")) { break }
            if !isClosing, skip(UInt8(ascii: "/")) {
                guard skip(UInt8(ascii: ">")) else { throw problem("expected > after /") }
                return Tag(kind: .empty, name: name, range: start..<position, attributes: attributes)
            }
            let key = word()
            skipWhiteSpace()
            guard !key.isEmpty, skip(UInt8(ascii: "=")) else { throw problem("expected an attribute or >") }
            attributes[key] = try value()
        }
        return Tag(kind: isClosing ? .closing : .opening, name: name, range: start..<position, attributes: attributes)
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
