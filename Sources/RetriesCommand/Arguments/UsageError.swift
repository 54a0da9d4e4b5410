/// Arguments that say nothing this command can do.
struct UsageError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// A word that is none of those known; names the nearest, if one is near.
    static func unknown(_ kind: String, _ word: String, known: [String], see help: String) -> UsageError {
        let nearest = Spelling.nearest(to: word, in: known).map { "; did you mean \($0)?" } ?? ""
        return UsageError("unknown \(kind) \(word)\(nearest) (\(help))")
    }
}

/// Finds what somebody meant to type.
enum Spelling {
    /// The word of `known` that takes the fewest changes to get to; `nil` if every one takes too many.
    static func nearest(to word: String, in known: [String]) -> String? {
        let distances = known.map { (word: $0, distance: distance(Array(word.utf8.prefix(64)), Array($0.utf8))) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return nearest.distance <= max(2, nearest.word.utf8.count / 3) ? nearest.word : nil
    }

    /// How many letters have to be inserted, removed or replaced.
    static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
