import Groundwork

/// An element of an XML file, with all that is in it.
struct XMLTree {
    var name: String
    var attributes: [String: String] = [:]
    var text = ""
    var children: [XMLTree] = []

    /// The outermost elements of a name.
    func all(_ name: String) -> [XMLTree] {
        self.name == name ? [self] : children.flatMap { $0.all(name) }
    }

    /// As it stands in a file: what holds others has them on lines of their own.
    func xml(indent: String = "") -> String {
        let attributes = attributes.sorted { $0.key < $1.key }.map { name, value in
            " \(name)=\"\(Self.escaped(value, keeping: []))\""
        }
        let opening = "\(indent)<\(name)\(attributes.joined())"
        let text = Self.escaped(text, keeping: ["\n", "\t"])
        guard !text.isEmpty || !children.isEmpty else { return "\(opening)/>\n" }
        let lines = children.map { $0.xml(indent: indent + "  ") }.joined()
        return "\(opening)>\(text)\(lines.isEmpty ? "" : "\n\(lines)\(indent)")</\(name)>\n"
    }

    /// `text` as XML 1.0 can hold it. What it has no way to write is shown as Swift writes it.
    ///
    /// - Parameter kept: White space that stays as it is. In an attribute, it would be read as a space.
    private static func escaped(_ text: String, keeping kept: Set<Unicode.Scalar>) -> String {
        text.substituting { scalar in
            switch scalar {
            case "&": return "&amp;"
            case "<": return "&lt;"
            case ">": return "&gt;"
            case "\"": return "&quot;"
            case "'": return "&apos;"
            case "#": return "&#35;"
            case "\n", "\t", "\r": return kept.contains(scalar) ? nil : "&#\(scalar.value);"
            default:
                let isNoCharacter = scalar.value & 0xFFFE == 0xFFFE || 0xFDD0...0xFDEF ~= scalar.value
                return scalar.isControl || isNoCharacter ? "\\u{\(String(scalar.value, radix: 16))}" : nil
            }
        }
    }
}
