extension String {
    /// This text on one line, without anything that a terminal or a CI would interpret: control characters are shown as Swift
    /// escapes them.
    package var escapingControlCharacters: String { escapingControlCharacters(except: []) }

    /// This text with control characters, except those in `kept`, shown as Swift escapes them.
    package func escapingControlCharacters(except kept: Set<Unicode.Scalar>) -> String {
        guard unicodeScalars.contains(where: { $0.isControl && !kept.contains($0) }) else { return self }
        return substituting { scalar in
            switch scalar {
            case let scalar where kept.contains(scalar) || !scalar.isControl: nil
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
    }

    /// This text with each scalar that `substitute` has an answer to replaced by it.
    package func substituting(_ substitute: (Unicode.Scalar) -> String?) -> String {
        var text = ""
        text.reserveCapacity(utf8.count + 16)
        for scalar in unicodeScalars {
            if let substitution = substitute(scalar) {
                text += substitution
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether this is a control character, ends a line or paragraph, or changes the direction of text.
    package var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
