/// Reads JSON from bytes in one pass, value by value, with nothing built in between.
///
/// Foundation's decoder keeps a tree of the whole text and takes many times as long.
package struct JSONReader {
    /// Deeper nesting than this is refused: it would overrun the stack, and no report has it.
    static let maximumDepth = 256

    let bytes: UnsafeBufferPointer<UInt8>
    package internal(set) var position = 0
    private var depth = 0

    /// Reads all of `bytes` as one value; anything after it but white space is trouble.
    package static func read<Value>(
        _ bytes: [UInt8],
        _ body: (inout JSONReader) throws(JSONTrouble) -> Value
    ) throws(JSONTrouble) -> Value {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONTrouble) in
            var reader = JSONReader(bytes: buffer)
            if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
            let value = try body(&reader)
            reader.skipWhiteSpace()
            guard reader.position == buffer.count else { throw reader.syntax("expected the end of the text") }
            return value
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// What the next value is.
    package enum Kind: String {
        case object = "an object"
        case array = "an array"
        case string = "a string"
        case number = "a number"
        case bool = "a boolean"
        case null = "null"
    }

    package mutating func nextKind() throws(JSONTrouble) -> Kind {
        skipWhiteSpace()
        switch peek {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw syntax("expected a value")
        }
    }

    /// Reads an object; `body` must read or skip the value of every key it is given.
    package mutating func object(
        _ body: (inout JSONReader, JSONKey) throws(JSONTrouble) -> Void
    ) throws(JSONTrouble) {
        try expect(.object)
        try enter()
        guard !skip(UInt8(ascii: "}")) else { return leave() }
        repeat {
            skipWhiteSpace()
            guard peek == UInt8(ascii: "\"") else { throw syntax("expected a key") }
            let key = try key()
            skipWhiteSpace()
            guard skip(UInt8(ascii: ":")) else { throw syntax("expected a colon") }
            do {
                try body(&self, key)
            } catch {
                throw error.under(key: key.string)
            }
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "}")) else { throw syntax("expected , or }") }
        leave()
    }

    /// Reads an array; `body` must read or skip each element.
    package mutating func array(_ body: (inout JSONReader) throws(JSONTrouble) -> Void) throws(JSONTrouble) {
        try expect(.array)
        try enter()
        guard !skip(UInt8(ascii: "]")) else { return leave() }
        var index = 0
        repeat {
            do {
                try body(&self)
            } catch {
                throw error.under(index: index)
            }
            index += 1
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw syntax("expected , or ]") }
        leave()
    }

    package mutating func bool() throws(JSONTrouble) -> Bool {
        try expect(.bool)
        let value = peek == UInt8(ascii: "t")
        try word(value ? "true" : "false")
        return value
    }

    /// Reads `null` if that comes next, else what `read` reads.
    package mutating func optional<Value>(
        _ read: (inout JSONReader) throws(JSONTrouble) -> Value
    ) throws(JSONTrouble) -> Value? {
        guard try nextKind() == .null else { return try read(&self) }
        try word("null")
        return nil
    }

    /// Reads the next value, whatever it is, and drops it.
    package mutating func skipValue() throws(JSONTrouble) {
        switch try nextKind() {
        case .object: try object { (reader, _) throws(JSONTrouble) in try reader.skipValue() }
        case .array: try array { (reader) throws(JSONTrouble) in try reader.skipValue() }
        case .string: _ = try rawString()
        case .number: _ = try double()
        case .bool: _ = try bool()
        case .null: try word("null")
        }
    }

    /// Reads the next value and returns its text as it stands.
    package mutating func rawValue() throws(JSONTrouble) -> [UInt8] {
        skipWhiteSpace()
        let start = position
        try skipValue()
        return Array(bytes[start..<position])
    }

    mutating func expect(_ kind: Kind) throws(JSONTrouble) {
        let found = try nextKind()
        guard found == kind else { throw JSONTrouble("is \(found.rawValue), not \(kind.rawValue)") }
    }

    func syntax(_ expectation: String) -> JSONTrouble {
        let line = bytes[..<min(position, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
        return JSONTrouble(
            position < bytes.count
                ? "is not JSON: \(expectation) in line \(line)" : "is not JSON: it ends in the middle, in line \(line)"
        )
    }

    private mutating func enter() throws(JSONTrouble) {
        position += 1
        depth += 1
        guard depth <= Self.maximumDepth else { throw JSONTrouble("is nested deeper than \(Self.maximumDepth) levels") }
        skipWhiteSpace()
    }

    private mutating func leave() {
        depth -= 1
    }

    private mutating func word(_ word: StaticString) throws(JSONTrouble) {
        let matches = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        guard matches else { throw syntax("expected \(word)") }
        position += word.utf8CodeUnitCount
    }
}

// MARK: - Bytes

extension JSONReader {
    /// The byte at the position; 0, which no JSON has there, at the end.
    @inline(__always)
    var peek: UInt8 {
        position < bytes.count ? bytes[position] : 0
    }

    @inline(__always)
    mutating func skipWhiteSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// Steps over white space and then `byte`, if it comes next.
    @inline(__always)
    mutating func skip(_ byte: UInt8) -> Bool {
        skipWhiteSpace()
        guard peek == byte else { return false }
        position += 1
        return true
    }
}
