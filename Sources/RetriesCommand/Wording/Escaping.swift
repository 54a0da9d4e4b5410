extension String {
    /// This text on one line, with nothing in it that a terminal or a CI's reader of logs takes for its own: control
    /// characters are shown as Swift writes them, and `##[` is broken up.
    var onOneLine: String {
        let text = withVisibleControls(except: [])
        guard text.utf8.contains(UInt8(ascii: "#")) else { return text }
        var isAfterHash = false
        return text.substituting { scalar in
            defer { isAfterHash = scalar == "#" }
            return isAfterHash && scalar == "#" ? "\\#" : nil
        }
    }

    /// This text with each scalar that `substitute` has an answer to replaced by it.
    func substituting(_ substitute: (Unicode.Scalar) -> String?) -> String {
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

    /// This text with control characters, and what turns the direction of text, shown as Swift writes them.
    func withVisibleControls(except kept: Set<Unicode.Scalar>) -> String {
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

    /// The beginning of this text, with what was left out counted.
    func cut(to length: Int) -> String {
        guard unicodeScalars.count > length else { return self }
        var start = String(String.UnicodeScalarView(unicodeScalars.prefix(length)))
        start += "… (\((unicodeScalars.count - length).of("character")) more)"
        return start
    }
}

extension Unicode.Scalar {
    /// Control characters, ends of lines and paragraphs, and what turns the direction of text.
    var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x061C, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
