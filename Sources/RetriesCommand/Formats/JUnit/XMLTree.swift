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
            // An end of a line would be read as a space.
            " \(name)=\"\(Self.escaped(value).writing(["\n": "&#10;", "\t": "&#9;"]))\""
        }
        let opening = "\(indent)<\(name)\(attributes.joined())"
        let text = Self.escaped(text)
        guard !text.isEmpty || !children.isEmpty else { return "\(opening)/>\n" }
        let lines = children.map { $0.xml(indent: indent + "  ") }.joined()
        return "\(opening)>\(text)\(lines.isEmpty ? "" : "\n\(lines)\(indent)")</\(name)>\n"
    }

    /// `text` as XML 1.0 can hold it. What it has no way to write is shown as Swift writes it.
    private static func escaped(_ text: String) -> String {
        text.escapingControlCharacters(except: ["\n", "\t", "\r"]).writing([
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;", "#": "&#35;", "\r": "&#13;",
            "\u{FFFE}": "\\u{fffe}", "\u{FFFF}": "\\u{ffff}",
        ])
    }
}
