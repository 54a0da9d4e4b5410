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
    /// How many letters have to be added, removed, replaced or swapped with their neighbour to get to the other word.
    fileprivate func distance(to other: [Character]) -> Int {
        var before: [Int] = []
        var last = Array<Int>(0...other.count)
        for row in indices {
            var current = [row + 1]
            for column in other.indices {
                let replaced = last[column] + (self[row] == other[column] ? 0 : 1)
                var least = Swift.min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, self[row] == other[column - 1], self[row - 1] == other[column] {
                    least = Swift.min(least, before[column - 1] + 1)
                }
                current.append(least)
            }
            (before, last) = (last, current)
        }
        return last[other.count]
    }
}
