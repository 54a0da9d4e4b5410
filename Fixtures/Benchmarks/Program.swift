import Foundation

/// Measures, simulates and prints.
struct Program {
    private let options: Options

    init(_ options: Options) {
        self.options = options
    }

    func run() throws {
        let simulation = Simulation()
        let results = simulation.run()
        if let chart = options.chart {
            try Chart(results, of: simulation).svg.write(toFile: chart, atomically: true, encoding: .utf8)
        }
        let rows = options.measures ? try measure() : []
        if options.asJSON {
            print(try json(rows, simulation, results))
        } else {
            print(Table(rows).text, terminator: rows.isEmpty ? "" : "\n")
            print(simulation.text(for: results))
        }
        let missed = rows.filter { $0.isMissed }
        for row in missed where options.checks {
            say("missed: \(row.what): \(row.shown), where the mark is \(row.mark?.description ?? "none")")
        }
        if options.checks, !missed.isEmpty { exit(1) }
    }

    private func measure() throws -> [Row] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { remove(folder) }
        setenv("RETRYABLE_REPORT", folder.appendingPathComponent("own.json").path, 1)
        let child = Child(folder: folder)
        let parts: [(String, () throws -> [Row])] = [
            ("sections and steps", { InTest.rows(rounds: options.rounds) }),
            ("waits", { Waiting.rows() }),
            ("10,000 passing tests", { [try Passing.row(rounds: options.rounds, child)] }),
            ("a process of one test", { [try OneTest.row(rounds: options.rounds, child)] }),
            ("a run in a child process", { try Supervised.rows(rounds: options.rounds, child) }),
            ("passing tests of Swift Testing", { [try SwiftTesting.row(rounds: options.rounds, child)] }),
            ("1,000 flakes", { try Flakes.rows(rounds: options.rounds, child) }),
            ("a retry by hand", { [try ByHand.row(rounds: options.rounds, child)] }),
            ("memory", { [try Memory.row(rounds: options.rounds, child)] }),
            ("reading", { try Reading.rows(rounds: options.rounds, folder) }),
            ("many runs", { try ManyRuns.rows(rounds: options.rounds, folder) }),
        ]
        return try parts.filter { name, _ in options.only.map(name.contains) ?? true }.flatMap { name, rows in
            say("measuring \(name)")
            return try rows()
        }
    }

    private func json(_ rows: [Row], _ simulation: Simulation, _ results: [Simulation.Outcome]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let document = Document(benchmarks: rows.map(\.forMachines), parameters: simulation, simulation: results)
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }

    private struct Document: Encodable {
        var benchmarks: [Row.ForMachines]
        var parameters: Simulation
        var simulation: [Simulation.Outcome]
    }
}

/// Says on standard error what goes on.
func say(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
}

/// Removes a temporary folder; what stays behind is worth a line.
func remove(_ folder: URL) {
    do {
        try FileManager.default.removeItem(at: folder)
    } catch {
        say("\(folder.path) could not be removed: \(error)")
    }
}
