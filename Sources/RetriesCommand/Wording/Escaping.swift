import Foundation
import Groundwork

extension String {
    /// This text on one line, with nothing in it that a terminal or a CI's reader of logs takes for its own: control
    /// characters are shown as Swift writes them, and `##[` is broken up.
    var onOneLine: String {
        let text = escapingControlCharacters
        guard text.contains("##") else { return text }
        return text.replacingOccurrences(of: "(?<=#)#", with: "\\\\#", options: .regularExpression)
    }

    /// This text with each of these characters written as what stands beside it.
    func writing(_ table: [Unicode.Scalar: String]) -> String {
        substituting { table[$0] }
    }

    /// The beginning of this text, with what was left out counted.
    func cut(to length: Int) -> String {
        guard unicodeScalars.count > length else { return self }
        var start = String(String.UnicodeScalarView(unicodeScalars.prefix(length)))
        start += "… (\((unicodeScalars.count - length).of("character")) more)"
        return start
    }
}
