/// A mark over time: the runs in their order, as a bar that is so many blocks wide at most.
struct Trend: Hashable {
    /// Runs that follow each other.
    struct Block: Hashable, Encodable {
        /// In how many of them the mark ran.
        var runs = 0
        /// In how many of them it flaked.
        var flaked = 0
    }

    let blocks: [Block]

    /// - Parameters:
    ///   - runs: For each run whether the mark flaked in it; `nil` where it did not run.
    ///   - width: How many blocks there may be. If there are more runs, each block stands for several.
    init(_ runs: [Bool?], width: Int) {
        let count = min(runs.count, max(width, 1))
        var blocks = [Block](repeating: Block(), count: count)
        for (index, flaked) in runs.enumerated() {
            guard let flaked else { continue }
            let block = index * count / runs.count
            blocks[block].runs += 1
            if flaked { blocks[block].flaked += 1 }
        }
        self.blocks = blocks
    }

    /// The bar for a terminal: the higher, the more of a block's runs flaked; `·` where the mark did not run.
    var text: String {
        String(blocks.map(Self.character))
    }

    private static let heights: [Character] = ["▂", "▃", "▄", "▅", "▆", "▇", "█"]

    private static func character(_ block: Block) -> Character {
        guard block.runs > 0 else { return "·" }
        guard block.flaked > 0 else { return "▁" }
        // One flake of many runs is to be seen all the same.
        return heights[(block.flaked * heights.count - 1) / block.runs]
    }
}
