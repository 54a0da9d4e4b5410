import Foundation
import RetryReport
import TestSupport
import Testing

/// Several processes that write one report.
@Suite("Processes at one report")
final class ManyProcessesTests: FolderTests {
    @Test("40 processes with 4 tests each, in two runs in a row, lose none of each other's records")
    func forty() async throws {
        for run in ["first", "second"] {
            let place = folder.report
            let names = try await ReportWriter.announced(report: place, run: run, prefix: "P", count: 4, processes: 40)
            let report = try self.report
            #expect(names.count == 160)
            #expect(report.tests.map(\.name) == names.sorted())
            #expect(report.tests.allSatisfy { $0.outcome == .recovered })
            #expect(Set(report.tests.map(\.process)).count == 40)
            #expect(report.run?.id == run)
            #expect(report.run?.finishedAt != nil)
            #expect(report.run?.unfinished == 0)
            #expect(try folder.names == TemporaryFolder.reportAndLock)
        }
    }

    @Test("a process that is killed right after a retry was decided leaves that decision, among tests sorted by name")
    func killedAfterDecision() throws {
        let writer = try ReportWriter(report: folder.report, run: "run", prefix: "P", count: 20, passes: 0)
        let said = try writer.killed(after: 40, microseconds: 0)
        let report = try self.report
        #expect(said.decided.count == 20)
        #expect(report.tests.map(\.name) == said.decided.sorted())
        #expect(report.tests.allSatisfy { $0.outcome == .recovered })
        #expect(report.run?.unfinished == 1)
    }

    @Test("a run that is killed, at 12 different moments, leaves a whole report with all that had been announced")
    func killed() async throws {
        for moment in stride(from: 0, to: 60, by: 5) {
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
            #expect(said.count >= moment)
            // Killed at once, it may not have got as far as the report.
            guard moment > 0 else { continue }
            let report = try self.report
            let names = Set(report.tests.map(\.name))
            #expect(report.run?.id == run)
            #expect(said.announced.filter { !names.contains($0) } == [], "killed at moment \(moment)")
            #expect(report.tests.allSatisfy { $0.outcome == .pending || $0.outcome == .recovered })
            #expect(report.run?.finishedAt == nil || report.tests.allSatisfy { $0.outcome == .recovered })
        }
        _ = try await ReportWriter.announced(report: folder.report, run: "next", prefix: "Next", count: 1)
        #expect(try folder.names == TemporaryFolder.reportAndLock, "what a killed process leaves is cleared away")
    }

    @Test("a process that is killed loses no record of another, and keeps no other waiting")
    func oneKilled() async throws {
        let place = folder.report
        for moment in 1...3 {
            let run = "run \(moment)"
            let victim = try ReportWriter(report: place, run: run, prefix: "Victim", count: 8, passes: 10_000)
            async let other = ReportWriter.announced(report: place, run: run, prefix: "Other", count: 20)
            let announced = try Set(victim.killed(after: moment, microseconds: UInt32(moment * 97)).announced)
            #expect(try await other.count == 20)
            let report = try self.report
            #expect(announced.isSubset(of: report.tests.map(\.name)))
            #expect(report.tests.count { $0.name.hasPrefix("-[Other1 ") && $0.outcome == .recovered } == 20)
        }
    }
}
