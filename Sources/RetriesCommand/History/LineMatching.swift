import Groundwork

/// Knows marks again whose lines have shifted: those of one file and one reason, by their order.
enum LineMatching {
    /// For each of `lines`, which of the known ones it is; `nil` for a new one.
    ///
    /// Order is kept: the second mark of a file does not become the first. As many are known again as can be; if there are
    /// several ways, because a run has fewer marks than are known (not every test ran) or more (some are new), it is the one
    /// in which the lines have shifted the least.
    ///
    /// - Parameters:
    ///   - lines: The lines in a run, in ascending order.
    ///   - known: The lines where the known marks were last, in ascending order.
    static func match(_ lines: [Int], to known: [Int]) -> [Int?] {
        guard lines != known else { return Array(lines.indices) }
        guard lines.count > known.count else { return choose(from: known, for: lines) }
        var matches = [Int?](repeating: nil, count: lines.count)
        for (index, line) in choose(from: lines, for: known).enumerated() { matches[line] = index }
        return matches
    }

    /// For each of `few` one of `many`, both in ascending order, so that all together are as near as can be.
    private static func choose(from many: [Int], for few: [Int]) -> [Int] {
        let (many, few) = (many.map(\.plausible), few.map(\.plausible))
        // costs[i][j] is the least for the first i of `few` among the first j of `many`; of use where j is at least i.
        var costs = [[Int]](repeating: [Int](repeating: 0, count: many.count + 1), count: few.count + 1)
        for i in few.indices {
            costs[i + 1][i] = .max
            for j in i..<many.count {
                costs[i + 1][j + 1] = min(costs[i + 1][j], costs[i][j] + abs(many[j] - few[i]))
            }
        }
        var chosen: [Int] = []
        var j = many.count
        for i in few.indices.reversed() {
            while costs[i + 1][j - 1] == costs[i + 1][j] { j -= 1 }
            j -= 1
            chosen.append(j)
        }
        return chosen.reversed()
    }
}
