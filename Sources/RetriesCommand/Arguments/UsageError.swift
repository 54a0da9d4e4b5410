import Groundwork

/// Arguments that the command cannot carry out.
struct UsageError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// A word that is none of those known; names the nearest, if one is near.
    static func unknown(_ kind: String, _ word: String, known: [String], see help: String) -> UsageError {
        let nearest = word.nearest(to: known).map { "; did you mean \($0)?" } ?? ""
        return UsageError("unknown \(kind) \(word)\(nearest) (\(help))")
    }
}
