import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("What machines read")
struct MachineFormatTests {
    private func object(_ format: ReportFormat, _ report: Report) throws -> [String: Any] {
        let data = Data(try format.bytes(of: report.overview))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("JSON is a report again")
    func json() throws {
        for report in [Sample.mixed, Sample.hostile] {
            #expect(try Report(json: ReportFormat.json.bytes(of: report.overview)) == report)
        }
    }

    @Test("a Slack message keeps Slack's limits", arguments: [0, 1, 45, 46, 500])
    func slack(count: Int) throws {
        var report = Sample.many(count)
        for index in report.tests.indices.prefix(3) {
            report.tests[index].mark.reason += String(repeating: "&", count: 10_000)
            report.tests[index].name += String(repeating: "😀", count: 10_000)
        }
        let message = try object(.slack, report)
        let blocks = try #require(message["blocks"] as? [[String: Any]])
        #expect(blocks.count <= 50)
        #expect(message["text"] as? String != "")
        for block in blocks {
            let text = try #require((block["text"] as? [String: Any])?["text"] as? String)
            #expect(text.utf16.count <= (block["type"] as? String == "header" ? 150 : 3000))
        }
        let shown = blocks.count { ($0["text"] as? [String: Any])?["text"].map { "\($0)".contains("FLAKY") } == true }
        let last = (blocks.last?["text"] as? [String: Any])?["text"] as? String
        #expect((last == "… and \(count - shown) more") == (count > shown))
        let total = blocks.reduce(0) { $0 + (($1["text"] as? [String: Any])?["text"] as? String ?? "").utf16.count }
        #expect(total <= 13_000)
    }

    @Test("a Slack message has the mark and the places after long texts, and all texts as they are")
    func slackDetails() throws {
        var report = Sample.many(1)
        report.tests[0].mark.reason = String(repeating: "late ", count: 200)
        report.tests[0].attempts[0].failures[0].message = String(repeating: "_late_ ", count: 200)
        let text = String(decoding: try ReportFormat.slack.bytes(of: report.overview), as: UTF8.self)
        #expect(text.contains(" more) (fixable), at Tests/ShopTests/Shop.swift:7`\\n`attempt 1: _late_ "))
        #expect(text.contains(" more), at Tests/ShopTests/Shop.swift:10`\\n"))
    }

    @Test("a Slack message calls nobody and links nowhere")
    func slackText() throws {
        let blocks = try #require(try object(.slack, Sample.hostile)["blocks"] as? [[String: Any]])
        for block in blocks.dropFirst(2) {
            let text = try #require(block["text"] as? [String: Any])
            #expect(text["verbatim"] as? Bool == true)
            let words = try #require(text["text"] as? String)
            #expect(!words.contains("<") && !words.contains(">"))
            #expect(!words.hasControlCharacters)
        }
    }
}
