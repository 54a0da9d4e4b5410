extension String {
    /// The name that this one was likely meant to be: the same but for case, dashes and underscores, or, of names with at
    /// least four letters, one letter off; two from eight letters on, and a third of a long one. `nil` if there is none.
    package func nearest(to names: [String]) -> String? {
        let candidates = names.map { (name: $0, distance: folded.distance(to: $0.folded)) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        let allowed =
            switch best.name.count {
            case ..<4: 0
            case ..<8: 1
            default: max(2, best.name.count / 3)
            }
        return best.distance <= allowed ? best.name : nil
    }

    /// The letters that are compared, at most 64: more than any known name has, because the work grows with the square.
    private var folded: [Character] {
        Array(lowercased().filter { $0 != "-" && $0 != "_" }.prefix(64))
    }
}

extension [Character] {
    /// How many letters have to be added, removed, replaced or moved to get to the other word.
    fileprivate func distance(to other: [Character]) -> Int {
        let difference = other.difference(from: self)
        return Swift.max(difference.insertions.count, difference.removals.count)
    }
}
