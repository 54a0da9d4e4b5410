import Foundation
import Groundwork
import RetryReport

/// A folder in which `repeat --keep` keeps runs, for `--than` and `retries history`.
struct KeptRuns {
    let folder: String
    /// The condition and the command of its runs. Runs of another command, or under another condition, show nothing of a fix.
    let command: String
    let context: CommandContext

    /// The number of kept runs, and the tests that failed in them, as the files beside their reports say.
    func results() throws -> (tally: Tally, failed: Set<String>) {
        let paths = try reports.map { context.absolute(String($0.name.dropLast(5))) }
        guard !paths.isEmpty else { throw Problem("\(folder) holds no runs that retries repeat --keep has kept") }
        let bad = paths.count { access("\($0).log", F_OK) == 0 }
        let failed = paths.compactMap { Descriptor.text(at: "\($0).tests")?.split(separator: "\n").map(String.init) }
        return (Tally(runs: paths.count, bad: bad), Set(failed.joined()))
    }

    /// Makes the folder if it is missing.
    func prepare() throws {
        do {
            let path = context.absolute(folder)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Problem("the folder \(folder) cannot be made: \(error.localizedDescription)")
        }
        _ = try reports
        try context.write(Array(command.utf8), to: commandFile)
    }

    private var commandFile: String { "\(folder)/command.txt" }

    private var reports: [InputFile] {
        get throws {
            let reports = try context.input(folder).reports(in: context)
            let kept = Descriptor.text(at: context.absolute(commandFile))
            guard reports.isEmpty || kept == command else {
                let others = kept.map { "runs of \"\($0)\"" } ?? "reports of other runs"
                throw Problem("\(folder) holds \(others), and these are of \"\(command)\"")
            }
            return reports
        }
    }

    /// Keeps the report of a run and, if it did not pass, its output and the names of those of `tests` that did not.
    func keep(_ run: Repetition.Run, of tests: Set<String>, since start: Date) throws {
        let time = Timestamp.text(start).filter(\.isNumber)
        let number = String(format: "%04d", run.number)
        let name = "\(folder)/\(time.prefix(8))-\(time.dropFirst(8).prefix(6))-\(number)"
        try context.write(run.report.json(), to: "\(name).json")
        guard run.outcome != .passed else { return }
        try context.write(run.output, to: "\(name).log")
        let failed = run.tests.bad(run.report).intersection(tests).sorted().joined(separator: "\n")
        try context.write(Array(failed.utf8), to: "\(name).tests")
    }
}
