/// Writes JSON with two spaces of indentation, keys in the order in which they are given: same calls, same bytes.
///
/// Foundation's encoder needs a dictionary for every object and takes many times as long.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    private var depth: Int
    /// Whether the innermost array or object is still empty.
    private var isEmpty = true
    /// Where the text goes, a chunk at a time; without one, all of it stays in `bytes`.
    private let drain: (([UInt8]) -> Void)?
    /// How much text a chunk has, if no single string or key has more.
    static let chunkSize = 1 << 16

    /// - Parameters:
    ///   - depth: How many arrays and objects the text will stand inside of.
    ///   - drain: Where the text goes, a chunk at a time; without one, all of it stays in `bytes`.
    package init(depth: Int = 0, drain: (([UInt8]) -> Void)? = nil) {
        self.depth = depth
        self.drain = drain
    }

    /// Hands over what is left in `bytes`.
    package mutating func flush() {
        guard let drain else { return }
        drain(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    package mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        enclose("{", body, "}")
    }

    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        enclose("[", body, "]")
    }

    package mutating func array<Elements: Sequence>(
        of elements: Elements,
        _ body: (inout JSONWriter, Elements.Element) -> Void
    ) {
        array { writer in
            for element in elements {
                writer.element { body(&$0, element) }
            }
        }
    }

    /// Writes one element of the innermost array.
    package mutating func element(_ body: (inout JSONWriter) -> Void) {
        startEntry()
        body(&self)
    }

    /// Writes a key of the innermost object; its value must follow.
    package mutating func key(_ key: StaticString) {
        startEntry()
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        append("\": ")
    }

    package mutating func key(_ key: String) {
        startEntry()
        value(key)
        append(": ")
    }

    package mutating func value(_ value: Bool) {
        append(value ? "true" : "false")
    }

    package mutating func value(_ value: Int) {
        guard value < 0 || value > 9 else { return bytes.append(UInt8(ascii: "0") + UInt8(value)) }
        bytes.append(contentsOf: String(value).utf8)
    }

    /// JSON has no infinity and no "not a number": such a value is written as 0.
    package mutating func value(_ value: Double) {
        guard value.isFinite else { return append("0") }
        if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return self.value(whole) }
        bytes.append(contentsOf: value.description.utf8)
    }

    package mutating func null() {
        append("null")
    }

    package mutating func value(_ string: String) {
        bytes.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends text that is JSON already, written at the depth at which it stands.
    package mutating func raw(_ json: [UInt8]) {
        bytes.append(contentsOf: json)
    }

    package mutating func endOfLine() {
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func enclose(_ opening: StaticString, _ body: (inout JSONWriter) -> Void, _ closing: StaticString)
    {
        append(opening)
        depth += 1
        isEmpty = true
        body(&self)
        depth -= 1
        if !isEmpty { newLine() }
        append(closing)
        isEmpty = false
    }

    private mutating func startEntry() {
        if bytes.count >= Self.chunkSize { flush() }
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        newLine()
    }

    private mutating func newLine() {
        let line: StaticString = "\n                                "
        let width = 1 + 2 * depth
        line.withUTF8Buffer { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0.prefix(width))) }
        for _ in 0..<max(0, width - line.utf8CodeUnitCount) { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var plain = 0
        for index in text.indices {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<index]))
            plain = index + 1
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\n"): append("\\n")
            case UInt8(ascii: "\r"): append("\\r")
            case UInt8(ascii: "\t"): append("\\t")
            default:
                append("\\u00")
                bytes.append(UInt8(ascii: byte < 0x10 ? "0" : "1"))
                let digit = byte & 0xF
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain...]))
    }
}
