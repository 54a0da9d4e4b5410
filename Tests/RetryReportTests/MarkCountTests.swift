import Foundation
import TestSupport
import Testing

@testable import RetryReport

@Suite("The marks in a report")
final class MarkCountTests: FolderTests {
    @Test(
        "the marks in a report are read and written, each on a line of its own, and are told apart from none that were counted"
    )
    func roundTrip() throws {
        let report = Report(run: .sample(), marks: [.counted(12, runs: 3, flakes: 2, failures: 1), .counted(40)])
        #expect(try Report(json: report.json()) == report)
        let lines = String(decoding: try report.json(), as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.contains("\"maxRetryCount\":1") } == 2)
        #expect(try Report(json: Report(run: .sample(), marks: []).json()).marks == [])
        #expect(try Report(json: Report(run: .sample()).json()).marks == nil)
    }

    @Test("the marks of several processes are added up, however often each writes, and sorted")
    func processes() throws {
        let files = try (0..<3).map { try openFile(process: "process \($0)") }
        for _ in 1...4 {
            for (index, file) in files.enumerated() {
                var marks: [MarkCount] = [.counted(30, flakes: index == 0 ? 1 : 0)]
                if index == 1 { marks.append(.counted(7)) }
                if index == 2 { marks.append(.counted(30, reason: "another reason")) }
                file.put(marks)
                try file.write()
            }
        }
        for file in files { try file.close() }
        for file in files { try file.close() }
        #expect(
            try report.marks == [
                .counted(7, runs: 4), .counted(30, reason: "another reason", runs: 4),
                .counted(30, runs: 12, flakes: 4),
            ]
        )
    }

    @Test("the marks in a report are counted from the start, and written with the next record, not each for itself")
    func patience() throws {
        let file = try openFile()
        file.put([.counted(12)])
        #expect(try report.marks == [])
        try file.update(.queued("a test"))
        #expect(try report.marks == [.counted(12)])
    }

    @Test("the marks in a report are all there again after the file was removed")
    func removed() throws {
        let file = try openFile()
        file.put([.counted(12)])
        try file.write()
        try FileManager.default.removeItem(at: folder.report)
        file.put([.counted(12)])
        try file.write()
        #expect(try report.marks == [.counted(12, runs: 2)])
    }

    @Test("the counts of marks that could not be written go into the next write")
    func refused() throws {
        let file = try openFile()
        file.put([.counted(12)])
        let aside = folder.file("aside")
        try FileManager.default.moveItem(at: folder.report, to: aside)
        try FileManager.default.createDirectory(at: folder.report, withIntermediateDirectories: true)
        for _ in 1...3 { #expect(throws: ReportFileError.self) { try file.write() } }
        try FileManager.default.removeItem(at: folder.report)
        try FileManager.default.moveItem(at: aside, to: folder.report)
        try file.write()
        #expect(try report.marks == [.counted(12)])
    }

    @Test("the marks of several reports are added up when these are merged")
    func merging() throws {
        let first = Report(run: .sample("a"), marks: [.counted(12, runs: 2, flakes: 1), .counted(40)])
        let second = Report(run: .sample("b"), marks: [.counted(5), .counted(12, runs: 3)])
        #expect(
            Report(merging: [first, second, Report(run: .sample("c"))]).marks == [
                .counted(5), .counted(12, runs: 5, flakes: 1), .counted(40),
            ]
        )
        #expect(Report(merging: [Report(), Report()]).marks == nil)
    }

    @Test("a mark's date is written only if it has one, and of several runs the newest one's counts, in any order")
    func dates() throws {
        func dated(_ until: String?, _ id: String, at start: Date) -> Report {
            var mark = MarkCount.counted(12)
            mark.mark.until = until
            var test = TestRecord.queued("t")
            test.mark.until = until
            return Report(run: Report.Run(id: id, startedAt: start), tests: [test], marks: [mark])
        }
        let (old, new) = (dated("2027-01-31", "a", at: .morning), dated("2027-03-31", "b", at: .morning + 60))
        #expect(try Report(json: new.json()) == new)
        let text = String(decoding: try new.json(), as: UTF8.self)
        #expect(text.components(separatedBy: "\"until\":\"2027-03-31\"").count == 3)
        #expect(try !String(decoding: dated(nil, "a", at: .morning).json(), as: UTF8.self).contains("until"))
        for reports in [[old, new], [new, old]] {
            #expect(Report(merging: reports).marks?.map(\.mark.until) == ["2027-03-31"])
            #expect(Report(merging: reports).marks?.map(\.attempts) == [2])
        }
        // In one run, calls of a function that takes the date give one mark several.
        var mark = try #require(new.marks?[0])
        try mark.add(#require(old.marks?[0]))
        #expect(mark.mark.until == "2027-01-31")
        for (first, second) in [(old, new), (new, old)] {
            var shard = second
            shard.run?.id = first.run?.id ?? ""
            #expect(Report(merging: [first, shard]).marks?.map(\.mark.until) == ["2027-01-31"])
        }
        let undated = dated(nil, "c", at: .morning + 120)
        #expect(Report(merging: [undated, old]).marks?.map(\.mark.until) == [nil])
    }

    @Test("the marks in a report may have counts that no run has")
    func absurd() throws {
        let line =
            #"{"file":"A.swift","line":1,"reason":"r","fixable":true,"maxRetryCount":1,"runs":9223372036854775807,"flakes":-5}"#
        let report = try Report(json: Array("{\"retries\":[],\"marks\":[\(line)]}".utf8))
        let merged = try #require(Report(merging: [report, report, report]).marks?.first)
        #expect(merged.attempts > 1_000_000 && merged.flakes == 0 && merged.failures == 0)
    }
}

extension MarkCount {
    fileprivate static func counted(
        _ line: Int,
        reason: String = "the token arrives late",
        runs: Int = 1,
        flakes: Int = 0,
        failures: Int = 0
    ) -> MarkCount {
        let file = "Tests/ShopTests/Checkout.swift"
        let module = "ShopTests"
        var mark = MarkCount(.fixable(reason: reason), file: file, line: line, module: module)
        (mark.attempts, mark.flakes, mark.failures) = (runs, flakes, failures)
        return mark
    }
}
