/// The key of a value, compared without making a string of it.
package struct JSONKey {
    fileprivate let bytes: UnsafeBufferPointer<UInt8>
    /// Set where the key has escapes.
    fileprivate let decoded: String?

    package var string: String {
        decoded ?? String(decoding: bytes, as: UTF8.self)
    }

    /// Lets a `switch` over a key have string literals as its cases.
    package static func ~= (literal: StaticString, key: JSONKey) -> Bool {
        literal.withUTF8Buffer { literal in
            if let decoded = key.decoded { return decoded.utf8.elementsEqual(literal) }
            return literal.count == key.bytes.count && literal.elementsEqual(key.bytes)
        }
    }
}

extension JSONReader {
    package mutating func string() throws(JSONTrouble) -> String {
        try expect(.string)
        let (range, hasEscapes) = try rawString()
        let raw = UnsafeBufferPointer(rebasing: bytes[range])
        return hasEscapes ? try unescaped(raw) : String(decoding: raw, as: UTF8.self)
    }

    mutating func key() throws(JSONTrouble) -> JSONKey {
        let (range, hasEscapes) = try rawString()
        let raw = UnsafeBufferPointer(rebasing: bytes[range])
        return JSONKey(bytes: raw, decoded: hasEscapes ? try unescaped(raw) : nil)
    }

    /// Steps over a string, and says where its text is and whether that has escapes.
    mutating func rawString() throws(JSONTrouble) -> (range: Range<Int>, hasEscapes: Bool) {
        position += 1
        let start = position
        var hasEscapes = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return (start..<(position - 1), hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                position += 2
            case 0..<0x20:
                throw syntax("expected no bare control character")
            default:
                position += 1
            }
        }
        position = bytes.count
        throw syntax("expected the end of a string")
    }

    /// Surrogates that stand alone become U+FFFD: Swift has no string that could hold them.
    private func unescaped(_ raw: UnsafeBufferPointer<UInt8>) throws(JSONTrouble) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(raw.count)
        var index = 0
        while index < raw.count {
            guard raw[index] == UInt8(ascii: "\\") else {
                text.append(raw[index])
                index += 1
                continue
            }
            switch raw[index + 1] {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(raw[index + 1])
            case UInt8(ascii: "u"):
                var unit = try hexadecimal(raw, at: index + 2)
                let isPair =
                    0xD800..<0xDC00 ~= unit && index + 7 < raw.count && raw[index + 6] == UInt8(ascii: "\\")
                    && raw[index + 7] == UInt8(ascii: "u")
                if isPair {
                    let low = try hexadecimal(raw, at: index + 8)
                    if 0xDC00..<0xE000 ~= low {
                        unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
                        index += 6
                    }
                }
                text.append(contentsOf: Character(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
                index += 4
            default: throw syntax("expected a known escape")
            }
            index += 2
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func hexadecimal(_ raw: UnsafeBufferPointer<UInt8>, at start: Int) throws(JSONTrouble) -> UInt32 {
        guard start + 4 <= raw.count else { throw syntax("expected four hexadecimal digits") }
        var value: UInt32 = 0
        for byte in raw[start..<(start + 4)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw syntax("expected four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
