import Foundation
import Groundwork

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An element of an XML file and its content.
struct XMLTree {
    var name: String
    var attributes: [String: String] = [:]
    var text = ""
    var children: [XMLTree] = []

    /// The outermost elements of a name.
    func all(_ name: String) -> [XMLTree] {
        self.name == name ? [self] : children.flatMap { $0.all(name) }
    }

    /// The text for a file; each child is on a line of its own.
    func xml(indent: String = "") -> String {
        let attributes = attributes.sorted { $0.key < $1.key }.map { name, value in
            // A line break would be read as a space.
            " \(name)=\"\(Self.escaped(value).replacing(["\n": "&#10;", "\t": "&#9;"]))\""
        }
        let opening = "\(indent)<\(name)\(attributes.joined())"
        let text = Self.escaped(text)
        guard !text.isEmpty || !children.isEmpty else { return "\(opening)/>\n" }
        let lines = children.map { $0.xml(indent: indent + "  ") }.joined()
        return "\(opening)>\(text)\(lines.isEmpty ? "" : "\n\(lines)\(indent)")</\(name)>\n"
    }

    /// `text` as XML 1.0 can hold it. Characters that it cannot hold are shown as Swift writes them.
    private static func escaped(_ text: String) -> String {
        text.escapingControlCharacters(except: ["\n", "\t", "\r"]).replacing([
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;", "#": "&#35;", "\r": "&#13;",
            "\u{FFFE}": "\\u{fffe}", "\u{FFFF}": "\\u{ffff}",
        ])
    }
}

extension XMLTree {
    /// References that XML does not allow and SwiftPM writes, such as for a form feed in a test's message.
    private static let impossible = "&#([0-8]|1[124-9]|2[0-9]|3[01]|6553[45]);"

    /// The text after a character inside of back quotes in a test's name: an odd number of back quotes up to the time.
    ///
    /// Swift Testing does not escape what a name has between back quotes.
    private static let inName = "(?=[^`\n]*`([^`\n]*`[^`\n]*`)*[^`\n]* time=\"[^\"\n]*\" ?/?>)"

    /// Reads a file; `nil` if `bytes` are not XML, or not all of it.
    ///
    /// Control characters that XML cannot hold, such as those in a colored message, are shown as Swift writes them.
    init?(reading bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self).escapingControlCharacters(except: ["\n", "\t", "\r"])
        guard let root = Self.parse(text) ?? Self.parse(Self.mended(text)) else { return nil }
        self = root
    }

    private static func parse(_ text: String) -> XMLTree? {
        let parser = XMLParser(data: Data(text.utf8))
        let builder = Builder()
        parser.delegate = builder
        // On Linux, a file that ends too early is parsed with success, and with an error.
        return parser.parse() && parser.parserError == nil ? builder.root : nil
    }

    private static func mended(_ text: String) -> String {
        var text = text.replacingOccurrences(of: impossible, with: "\u{FFFD}", options: .regularExpression)
        for (character, escaped) in [("&(?!#|[a-z]+;)", "&amp;"), ("<", "&lt;"), ("\"", "&quot;")] {
            text = text.replacingOccurrences(of: character + inName, with: escaped, options: .regularExpression)
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
            // Between elements, white space is layout.
            if element.text.allSatisfy(\.isWhitespace) { element.text = "" }
            if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
        }
    }
}
