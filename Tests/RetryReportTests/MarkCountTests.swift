import Foundation
import TestSupport
import Testing

@testable import RetryReport

@Suite("The marks in a report")
final class MarkCountTests: FolderTests {
    @Test("are read and written, each on a line of its own, and are told apart from none that were counted")
    func roundTrip() throws {
        let report = Report(run: .sample(), marks: [.counted(12, runs: 3, flakes: 2, failures: 1), .counted(40)])
        #expect(try Report(json: report.json()) == report)
        let lines = String(decoding: try report.json(), as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.contains("\"maxRetryCount\":1") } == 2)
        #expect(try Report(json: Report(run: .sample(), marks: []).json()).marks == [])
        #expect(try Report(json: Report(run: .sample()).json()).marks == nil)
    }

    @Test("of several processes are added up, however often each writes, and sorted")
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

    @Test("are counted from the start, and written with the next record, not each for itself")
    func patience() throws {
        let file = try openFile()
        file.put([.counted(12)])
        #expect(try report.marks == [])
        try file.update(.queued("a test"))
        #expect(try report.marks == [.counted(12)])
    }

    @Test("are all there again after somebody removed the file")
    func removed() throws {
        let file = try openFile()
        file.put([.counted(12)])
        try file.write()
        try FileManager.default.removeItem(at: folder.report)
        file.put([.counted(12)])
        try file.write()
        #expect(try report.marks == [.counted(12, runs: 2)])
    }

    @Test("that a refused write did not take go into the next one")
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

    @Test("of several reports are added up when these are merged")
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

    @Test("may claim counts that no run has")
    func absurd() throws {
        let line =
            #"{"file":"A.swift","line":1,"reason":"r","fixable":true,"maxRetryCount":1,"runs":9223372036854775807,"flakes":-5}"#
        let report = try Report(json: Array("{\"retries\":[],\"marks\":[\(line)]}".utf8))
        let merged = try #require(Report(merging: [report, report, report]).marks?.first)
        #expect(merged.runs > 1_000_000 && merged.flakes == 0 && merged.failures == 0)
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
        var mark = MarkCount(file: file, line: line, module: module, reason: reason, fixable: true, maxRetryCount: 1)
        (mark.runs, mark.flakes, mark.failures) = (runs, flakes, failures)
        return mark
    }
}
