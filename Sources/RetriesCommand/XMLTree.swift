import Foundation
import Groundwork

#if canImport(FoundationXML)
    import FoundationXML
#endif

struct XMLTree {
    var name: String
    var attributes: [String: String] = [:]
    var text = ""
    var children: [XMLTree] = []

    /// Returns the elements of this name at any depth, but none inside of another.
    func all(_ name: String) -> [XMLTree] {
        self.name == name ? [self] : children.flatMap { $0.all(name) }
    }

    /// Returns the element as XML, with each child on a line of its own.
    func xml(indent: String = "") -> String {
        let attributes = attributes.sorted { $0.key < $1.key }.map { name, value in
            " \(name)=\"\(Self.escaped(value))\""
        }
        let opening = "\(indent)<\(name)\(attributes.joined())"
        let text = Self.escaped(text)
        guard !text.isEmpty || !children.isEmpty else { return "\(opening)/>\n" }
        let lines = children.map { $0.xml(indent: indent + "  ") }.joined()
        return "\(opening)>\(text)\(lines.isEmpty ? "" : "\n\(lines)\(indent)")</\(name)>\n"
    }

    /// Escapes text for XML 1.0. Characters that XML cannot represent are written as Swift escapes them.
    ///
    /// No line begins with text, which a CI could take for a command; and in an attribute, parsers turn a literal line break or
    /// tab into a space.
    private static func escaped(_ text: String) -> String {
        text.escapingControlCharacters(except: ["\n", "\t", "\r"]).replacing([
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;", "#": "&#35;", "\r": "&#13;",
            "\n": "&#10;", "\t": "&#9;", "\u{FFFE}": "\\u{fffe}", "\u{FFFF}": "\\u{ffff}",
        ])
    }
}

extension XMLTree {
    /// Character references that XML 1.0 forbids but SwiftPM writes, such as for a form feed in a message.
    private static let forbiddenReference = "&#([0-8]|1[124-9]|2[0-9]|3[01]|6553[45]);"

    /// Follows a character between back quotes in a test's name, which Swift Testing does not escape: an odd number of back
    /// quotes before the `time` attribute.
    private static let inBackQuotes = "(?=[^`\n]*`([^`\n]*`[^`\n]*`)*[^`\n]* time=\"[^\"\n]*\" ?/?>)"

    /// Parses a file; `nil` if it is not XML, or incomplete.
    ///
    /// Control characters that XML forbids, such as in a colored message, become text as Swift escapes them.
    init?(reading bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self).escapingControlCharacters(except: ["\n", "\t", "\r"])
        guard let root = Self.parse(text) ?? Self.parse(Self.repaired(text)) else { return nil }
        self = root
    }

    private static func parse(_ text: String) -> XMLTree? {
        let parser = XMLParser(data: Data(text.utf8))
        let builder = Builder()
        parser.delegate = builder
        // On Linux, `parse` returns `true` for a truncated file and only sets an error.
        return parser.parse() && parser.parserError == nil ? builder.root : nil
    }

    private static func repaired(_ text: String) -> String {
        var text = text.replacingOccurrences(of: forbiddenReference, with: "\u{FFFD}", options: .regularExpression)
        for (character, escaped) in [("&(?!#|[a-z]+;)", "&amp;"), ("<", "&lt;"), ("\"", "&quot;")] {
            text = text.replacingOccurrences(of: character + inBackQuotes, with: escaped, options: .regularExpression)
        }
        return text
    }

    private final class Builder: NSObject, XMLParserDelegate {
        private(set) var root: XMLTree?
        private var open: [XMLTree] = []

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            open.append(XMLTree(name: name, attributes: attributes))
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if !open.isEmpty { open[open.count - 1].text += text }
        }

        func parser(_ parser: XMLParser, foundCDATA data: Data) {
            self.parser(parser, foundCharacters: String(decoding: data, as: UTF8.self))
        }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            guard var element = open.popLast() else { return }
            // White space between elements is only indentation.
            if element.text.allSatisfy(\.isWhitespace) { element.text = "" }
            if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
        }
    }
}
