import Groundwork

/// Text as XML 1.0 can hold it.
enum XMLText {
    /// For between tags. What XML has no way to write is shown as Swift writes it.
    static func content(_ text: String) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "\n", "\t": scalar == "\n" ? "\n" : "\t"
            case "\r": "&#13;"
            default: nil
            }
        }
    }

    /// For an attribute, where ends of lines would else become spaces.
    static func attribute(_ text: String) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "\n", "\t", "\r": "&#\(scalar.value);"
            default: nil
            }
        }
    }

    private static func escaped(_ text: String, _ white: (Unicode.Scalar) -> String?) -> String {
        text.substituting { scalar in
            if let text = white(scalar) { return text }
            switch scalar {
            case "&": return "&amp;"
            case "<": return "&lt;"
            case ">": return "&gt;"
            case "\"": return "&quot;"
            case "'": return "&apos;"
            case "#": return "&#35;"
            default:
                let isNoCharacter = scalar.value & 0xFFFE == 0xFFFE || 0xFDD0...0xFDEF ~= scalar.value
                return scalar.isControl || isNoCharacter ? "\\u{\(String(scalar.value, radix: 16))}" : nil
            }
        }
    }

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
