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
}
