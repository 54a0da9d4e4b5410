import Foundation

// Measures what Retryable costs, each thing against something to compare it with, or draws the README's chart.

/// Says on standard error what goes on.
func say(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
}

/// The benchmarks by name. Each is given the number of rounds.
let parts: [(name: String, rows: (Int) throws -> [Row])] = [
    ("section", { [InXCTest.section($0)] }),
    ("section of Swift Testing", { [try InSwiftTesting.section($0)] }),
    ("passing tests", { [try InXCTest.passing($0)] }),
    ("passing tests of Swift Testing", { [try InSwiftTesting.passing($0)] }),
    ("flakes", Flakes.rows),
    ("report", { [try Reading.row($0)] }),
    ("starving", { [try Starving.row($0)] }),
    ("waits", { _ in Waiting.rows() }),
    ("why", Comparisons.rows),
]

let usage = """
    usage: benchmarks [NAME …]      measure all, or the named; exit with 1 if a mark is missed
           benchmarks --chart FILE  write the chart of the simulation (SVG), and measure nothing

    names: \(parts.map(\.name).joined(separator: ", "))
    """

let arguments = Array(CommandLine.arguments.dropFirst())
Child.measureAndExit(arguments)
do {
    if arguments.first == "--chart", arguments.count == 2 {
        try Simulation.chart().write(toFile: arguments[1], atomically: true, encoding: .utf8)
    } else if let unknown = arguments.first(where: { name in !parts.contains { $0.name == name } }) {
        say("benchmarks: there is no \"\(unknown)\"\n\(usage)")
        exit(2)
    } else {
        try FileManager.default.createDirectory(atPath: Child.folder, withIntermediateDirectories: true)
        setenv("RETRYABLE_REPORT", "\(Child.folder)/own.json", 1)
        let rows = try parts.filter { arguments.isEmpty || arguments.contains($0.name) }.flatMap { part in
            say("measuring \(part.name)")
            return try part.rows(9)
        }
        print(table(of: rows))
        try FileManager.default.removeItem(atPath: Child.folder)
        if rows.contains(where: \.isMissed) { exit(1) }
    }
} catch {
    say("benchmarks: \(error)")
    exit(2)
}
