import Testing

@testable import RetriesCommand

@Suite("Marks whose lines shift")
struct LineMatchingTests {
    struct Row: Sendable {
        var lines: [Int]
        var known: [Int]
        var matches: [Int?]
    }

    @Test(
        "are known again by their order, and where some are missing or new by the least shift",
        arguments: [
            Row(lines: [10, 50], known: [10, 50], matches: [0, 1]),
            Row(lines: [110, 150], known: [10, 50], matches: [0, 1]),
            Row(lines: [5], known: [400], matches: [0]),
            Row(lines: [52], known: [10, 50], matches: [1]),
            Row(lines: [12, 95], known: [10, 50, 90], matches: [0, 2]),
            Row(lines: [14, 54], known: [10, 50, 90], matches: [0, 1]),
            Row(lines: [10, 30, 50], known: [10, 50], matches: [0, nil, 1]),
            Row(lines: [10, 50, 90], known: [11], matches: [0, nil, nil]),
            Row(lines: [10, 10], known: [10], matches: [0, nil]),
            Row(lines: [10], known: [], matches: [nil]),
            Row(lines: [], known: [10], matches: []),
            Row(lines: [.min, .max], known: [7], matches: [0, nil]),
        ]
    )
    func matches(row: Row) {
        #expect(LineMatching.match(row.lines, to: row.known) == row.matches)
    }
}

@Suite("The bar of a mark's runs")
struct TrendTests {
    @Test("has a block for each run, and a gap where the mark did not run")
    func single() {
        #expect(Trend([nil, false, true, false], width: 40).text == "·▁█▁")
        #expect(Trend([], width: 40).text == "")
    }

    @Test("puts runs together that do not fit, and shows one flake among many")
    func many() {
        let runs = (0..<400).map { run -> Bool? in run < 100 ? nil : run < 200 ? false : run < 300 ? run == 250 : true }
        #expect(Trend(runs, width: 4).text == "·▁▂█")
        #expect(Trend([false, true, true, true], width: 1).text == "▇")
        #expect(Trend(Array(repeating: true, count: 999), width: 40).blocks.reduce(0) { $0 + $1.runs } == 999)
    }
}
