extension XMLText {
    /// What `text`, as it stands in a file, says; a reference to nothing known stays as it is.
    static func plain(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var plain = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            plain += rest[..<start]
            rest = rest[start...]
            guard let end = rest.firstIndex(of: ";"), let scalar = scalar(rest[start..<end].dropFirst()) else {
                plain += "&"
                rest = rest.dropFirst()
                continue
            }
            plain.unicodeScalars.append(scalar)
            rest = rest[rest.index(after: end)...]
        }
        return plain + rest
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let digits = name.dropFirst()
            guard name.first == "#" else { return nil }
            let value = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap { Unicode.Scalar($0) }
        }
    }
}
