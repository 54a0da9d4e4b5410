/// Marks that flake in the same runs, and so probably for one cause.
struct FlakeCluster: Hashable {
    /// The indices of the marks in the list that was divided, in its order.
    let marks: [Int]
    /// The number of runs in which any of them flaked.
    let runs: Int
    /// The number of runs in which more than half of them flaked.
    let together: Int
    /// The number of such runs to expect if each of them flaked independently.
    let byChance: Double

    /// The fewest runs in which a mark has flaked, for it to be compared with others.
    private static let few = 3
    /// The least mean similarity in a cluster. Two marks that flake independently, each in half of the runs, have 0.33.
    private static let leastSimilarity = 0.4
    /// The greatest chance that any pair of independent marks is as similar as the pairs that are joined.
    private static let level = 0.01

    /// The clusters among marks, the largest first.
    ///
    /// Marks are joined by average linkage, and at least half of the pairs in a cluster flake together more than chance explains.
    /// Asking that of all pairs would lose marks that rarely flake; of none, one bad night would make a cluster.
    ///
    /// - Parameter flaked: For each mark, whether it flaked in each run; `nil` if the run did not enter it.
    static func clusters(of flaked: [[Bool?]]) -> [FlakeCluster] {
        let frequent = flaked.indices.filter { mark in flaked[mark].count { $0 == true } >= few }
        let limit = level * 2 / Double(frequent.count * (frequent.count - 1))
        let pairs = frequent.enumerated().flatMap { place, first in
            frequent[(place + 1)...].filter { Overlap(of: flaked[first], and: flaked[$0]).byChance < limit }
                .map { Set([first, $0]) }
        }
        let candidates = Set(pairs.joined()).sorted()
        let similarities = candidates.map { first in
            candidates.map { Overlap(of: flaked[first], and: flaked[$0]).similarity }
        }
        let clusters = linked(similarities).map { $0.map { candidates[$0] }.sorted() }
            .filter { marks in pairs.count { $0.isSubset(of: marks) } * 4 >= marks.count * max(1, marks.count - 1) }
        return clusters.map { FlakeCluster(marks: $0, flaked: flaked) }
            .sorted { ($0.marks.count, $1.marks[0]) > ($1.marks.count, $0.marks[0]) }
    }

    private init(marks: [Int], flaked: [[Bool?]]) {
        let runs = flaked[marks[0]].count
        let most = marks.count / 2 + 1
        let counts = (0..<runs).map { run in marks.count { flaked[$0][run] == true } }
        // The chance of each number of marks that flake in one run.
        let chances = marks.reduce([1.0]) { chances, mark in
            let rate = Double(flaked[mark].count { $0 == true }) / Double(runs)
            return zip(chances + [0], [0] + chances).map { $0 * (1 - rate) + $1 * rate }
        }
        self.marks = marks
        self.runs = counts.count { $0 > 0 }
        together = counts.count { $0 >= most }
        byChance = chances.dropFirst(most).reduce(0, +) * Double(runs)
    }

    /// Joins the two clusters that are the most similar on average, again and again, as long as they are similar enough.
    private static func linked(_ similarities: [[Double]]) -> [[Int]] {
        var clusters = similarities.indices.map { [$0] }
        func similarity(_ first: Int, _ second: Int) -> Double {
            let sum = clusters[first].reduce(0) { sum, mark in
                clusters[second].reduce(sum) { $0 + similarities[mark][$1] }
            }
            return sum / Double(clusters[first].count * clusters[second].count)
        }
        while true {
            let pairs = clusters.indices.flatMap { first in
                clusters.indices[(first + 1)...].map { (first: first, second: $0, similarity: similarity(first, $0)) }
            }
            guard let best = pairs.max(by: { $0.similarity < $1.similarity }), best.similarity > leastSimilarity
            else { return clusters }
            clusters[best.first] += clusters[best.second]
            clusters.remove(at: best.second)
        }
    }
}

/// The runs that entered two marks, and those of them in which the first, the second and both flaked.
private struct Overlap {
    var (runs, first, second, both) = (0, 0, 0, 0)

    init(of first: [Bool?], and second: [Bool?]) {
        // By index, because this is the innermost loop, and the command is usually built without optimizations.
        for run in first.indices {
            guard let hasFirst = first[run], let hasSecond = second[run] else { continue }
            runs += 1
            if hasFirst { self.first += 1 }
            if hasSecond { self.second += 1 }
            if hasFirst, hasSecond { both += 1 }
        }
    }

    /// Jaccard's index: of the runs in which either mark flaked, the share in which both did.
    var similarity: Double { both == 0 ? 0 : Double(both) / Double(first + second - both) }

    /// The chance of at least so many flakes in common, if two marks flake independently.
    var byChance: Double {
        guard both > 1 else { return 1 }
        let chance = Hypergeometric(runs: runs, bad: first, sample: second)
        return (both...min(first, second)).reduce(0) { $0 + chance.probability(of: $1) }
    }
}
