import Foundation
import RetryReport
import TestSupport
import Testing

/// Several processes that write one report.
@Suite("Processes at one report")
struct ManyProcessesTests {
    @Test("40 lose no record of each other, five times over")
    func forty() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for round in 1...5 {
            let run = "run \(round)"
            let announced = try await ReportWriter.announced(
                report: folder.report,
                run: run,
                prefix: "P",
                count: 1,
                processes: 40
            )
            let report = try Report(contentsOf: folder.report)
            #expect(announced.count == 40)
            #expect(report.retries.map(\.name) == announced.sorted())
            #expect(report.retries.allSatisfy { $0.outcome == .recovered })
            #expect(Set(report.retries.map(\.process)).count == 40)
            #expect(report.run?.id == run)
            #expect(report.run?.finishedAt != nil)
            #expect(report.run?.unfinished == 0)
            #expect(try folder.names == TemporaryFolder.reportAndLock)
        }
    }

    @Test("60 with 8 tests each, many times more than processors, lose none")
    func sixty() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let announced = try await ReportWriter.announced(
            report: folder.report,
            run: "run",
            prefix: "P",
            count: 8,
            processes: 60
        )
        let report = try Report(contentsOf: folder.report)
        #expect(announced.count == 480)
        #expect(report.retries.map(\.name) == announced.sorted())
        #expect(report.retries.allSatisfy { $0.outcome == .recovered })
        #expect(Set(report.retries.map(\.process)).count == 60)
        #expect(report.run?.unfinished == 0)
    }

    @Test("one with a thousand tests leaves a report of all that it announced")
    func thousand() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let announced = try await ReportWriter.announced(report: folder.report, run: "run", prefix: "P", count: 1000)
        let report = try Report(contentsOf: folder.report)
        #expect(announced.count == 1000)
        #expect(report.retries.map(\.name) == announced.sorted())
        #expect(report.retries.allSatisfy { $0.outcome == .recovered })
    }

    @Test("one that is killed right after a retry was decided leaves that decision, among tests sorted by name")
    func killedAfterDecision() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let writer = try ReportWriter(report: folder.report, run: "run", prefix: "P", count: 20, passes: 0)
        let said = try writer.killed(after: 40, microseconds: 0)
        let report = try Report(contentsOf: folder.report)
        #expect(said.decided.count == 20)
        #expect(report.retries.map(\.name) == said.decided.sorted())
        #expect(report.retries.allSatisfy { $0.outcome == .recovered })
        #expect(report.run?.unfinished == 1)
    }

    @Test("a run that is killed, at 20 different moments, leaves a whole report with all that had been announced")
    func killed() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for moment in stride(from: 0, to: 60, by: 3) {
            // It would go on for very much longer: it is killed for certain, on however slow a machine.
            let run = "run \(moment)"
            let writer = try ReportWriter(
                report: folder.report,
                run: run,
                prefix: "Killed",
                count: 8,
                messageSize: 5000,
                passes: 10_000
            )
            let said = try writer.killed(after: moment, microseconds: UInt32(moment * 97 % 1000))
            #expect(writer.process.terminationReason == .uncaughtSignal)
            #expect(said.count >= moment)
            // Killed at once, it may not have got as far as the report.
            guard moment > 0 else { continue }
            let report = try Report(contentsOf: folder.report)
            let names = Set(report.retries.map(\.name))
            #expect(report.run?.id == run)
            #expect(said.announced.filter { !names.contains($0) } == [], "killed at moment \(moment)")
            #expect(report.retries.allSatisfy { $0.outcome == .pending || $0.outcome == .recovered })
            #expect(report.run?.finishedAt == nil || report.retries.allSatisfy { $0.outcome == .recovered })
        }
        _ = try await ReportWriter.announced(report: folder.report, run: "next", prefix: "Next", count: 1)
        #expect(try folder.names == TemporaryFolder.reportAndLock, "what a killed process leaves is cleared away")
    }

    @Test("one that is killed takes nothing of another's with it, and keeps nobody waiting")
    func oneKilled() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for moment in 1...5 {
            let run = "run \(moment)"
            let victim = try ReportWriter(report: folder.report, run: run, prefix: "Victim", count: 8, passes: 10_000)
            async let other = ReportWriter.announced(report: folder.report, run: run, prefix: "Other", count: 20)
            let announced = try Set(victim.killed(after: moment, microseconds: UInt32(moment * 97)).announced)
            #expect(try await other.count == 20)
            let report = try Report(contentsOf: folder.report)
            #expect(announced.isSubset(of: report.retries.map(\.name)))
            #expect(report.retries.count { $0.name.hasPrefix("-[Other1 ") && $0.outcome == .recovered } == 20)
        }
    }
}
