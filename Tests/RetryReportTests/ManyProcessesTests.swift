import Foundation
import RetryReport
import Testing

/// What several processes make of one report.
@Suite("Processes at one report", .serialized)
struct ManyProcessesTests {
    @Test("40 lose no record of each other, 20 times over")
    func forty() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for round in 1...20 {
            let scribes = try (1...40).map { number in
                try Scribe(report: folder.report, run: "run \(round)", prefix: "P\(number)", count: 1)
            }
            let announced = try scribes.flatMap { try $0.announced() }
            #expect(scribes.allSatisfy { $0.process.terminationStatus == 0 })
            let report = try Report(contentsOf: folder.report)
            #expect(announced.count == 40)
            #expect(report.retries.map(\.name) == announced.sorted())
            #expect(report.retries.allSatisfy { $0.outcome == .recovered })
            #expect(report.run?.id == "run \(round)")
            #expect(report.run?.finishedAt != nil)
            #expect(report.run?.unfinished == 0)
            #expect(try folder.names == [ReportLocation.fileName])
        }
    }

    @Test("a run that is killed, at 50 different moments, leaves a whole report with all that had been announced")
    func killed() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        func start(_ prefix: String) throws -> Scribe {
            try Scribe(report: folder.report, run: "run", prefix: prefix, count: 60, messageSize: 5000)
        }
        let clock = ContinuousClock()
        let whole = try clock.measure { _ = try start("Whole").announced() }
        var kills = 0
        for moment in 1...50 {
            try FileManager.default.removeItem(at: folder.report)
            let scribe = try start("Killed")
            usleep(UInt32(Double(moment) / 50 * (whole / .microseconds(1))))
            scribe.kill()
            let announced = try scribe.announced()
            guard scribe.process.terminationReason == .uncaughtSignal else { continue }
            kills += 1
            guard FileManager.default.fileExists(atPath: folder.report.path) else {
                #expect(announced.isEmpty)
                try Data().write(to: folder.report)
                continue
            }
            let report = try Report(contentsOf: folder.report)
            let names = Set(report.retries.map(\.name))
            #expect(announced.filter { !names.contains($0) } == [], "killed at moment \(moment)")
            #expect(report.retries.allSatisfy { $0.outcome == .pending || $0.outcome == .recovered })
            #expect(report.run?.finishedAt == nil || report.retries.allSatisfy { $0.outcome == .recovered })
        }
        #expect(kills >= 25, "the run took too short a time to be killed in")
        _ = try Scribe(report: folder.report, run: "run", prefix: "Next", count: 1).announced()
        #expect(try folder.names == [ReportLocation.fileName], "what a killed process leaves is cleared away")
    }

    @Test("one that is killed takes nothing of another's with it, and keeps nobody waiting")
    func oneKilled() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for moment in 1...10 {
            let run = "run \(moment)"
            let victim = try Scribe(report: folder.report, run: run, prefix: "Victim", count: 20)
            let other = try Scribe(report: folder.report, run: run, prefix: "Other", count: 20)
            usleep(UInt32(moment * 8000))
            victim.kill()
            let announced = try Set(victim.announced())
            #expect(try other.announced().count == 20)
            let report = try Report(contentsOf: folder.report)
            #expect(announced.isSubset(of: report.retries.map(\.name)))
            #expect(report.retries.count { $0.name.hasPrefix("-[Other ") && $0.outcome == .recovered } == 20)
        }
    }
}
