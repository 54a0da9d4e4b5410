extension Int {
    /// This count and the word for what is counted, such as `1 test` or `2 tests`.
    package func of(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}

extension [String] {
    /// The first five of these, and the number of the others.
    package var firstFew: String {
        let shown = prefix(5).joined(separator: ", ")
        return count > 5 ? "\(shown) and \(count - 5) more" : shown
    }
}

// MARK: - Control characters

extension String {
    /// This text on one line, with control characters as Swift escapes them, so that no terminal or CI interprets any.
    package var escapingControlCharacters: String { escapingControlCharacters(except: []) }

    /// Shows control characters, except those in `kept`, as Swift escapes them.
    package func escapingControlCharacters(except kept: Set<Unicode.Scalar>) -> String {
        guard unicodeScalars.contains(where: { $0.isControl && !kept.contains($0) }) else { return self }
        return substituting { scalar in
            guard scalar.isControl, !kept.contains(scalar) else { return nil }
            return ["\n": "\\n", "\r": "\\r", "\t": "\\t"][scalar] ?? "\\u{\(String(scalar.value, radix: 16))}"
        }
    }

    /// Replaces each scalar for which `substitute` returns a text.
    package func substituting(_ substitute: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { $0 += substitute($1) ?? String($1) }
    }

    /// The beginning of this text, and the number of characters left out.
    package func cut(to length: Int) -> String {
        let rest = unicodeScalars.count - length
        return rest > 0 ? String(unicodeScalars.prefix(length)) + "… (\(rest.of("character")) more)" : self
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character; also line and paragraph ends, marks of the text's direction and zero-width spaces.
    package var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF:
            true
        default: false
        }
    }
}

// MARK: - The nearest name

extension String {
    /// The name that was likely meant; `nil` if none is near enough.
    ///
    /// Case, dashes and underscores do not count. Of the other letters, one may differ in a name of four to seven, and a third
    /// in a longer name.
    package func nearest(to names: [String]) -> String? {
        // The number of letters that have to be added, removed or replaced to get to the name.
        let candidates = names.map { name in
            let change = name.folded.difference(from: folded)
            return (name: name, distance: max(change.insertions.count, change.removals.count))
        }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        let length = best.name.count
        return best.distance <= (length < 8 ? length / 4 : length / 3) ? best.name : nil
    }

    /// The letters that are compared, at most 64, because the work grows with the square. No known name has more.
    private var folded: [Character] {
        Array(lowercased().filter { $0 != "-" && $0 != "_" }.prefix(64))
    }
}
