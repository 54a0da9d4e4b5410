import Groundwork

/// Why a command cannot do what it was asked to: arguments, or what they name, that cannot be used.
struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// A word that is none of those known; names the nearest, if one is near.
    static func unknown(_ kind: String, _ word: String, known: [String], see help: String) -> Problem {
        let nearest = word.nearest(to: known).map { "; did you mean \($0)?" } ?? ""
        return Problem("unknown \(kind) \(word)\(nearest) (\(help))")
    }
}
