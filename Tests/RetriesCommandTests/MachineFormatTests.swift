import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("What machines read")
struct MachineFormatTests {
    private func object(_ format: Format, _ report: Report) throws -> [String: Any] {
        let data = Data(try format.bytes(of: report, color: false))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test(
        "CTRF has the keys and types of its schema, whatever the text holds",
        arguments: Sample.allCases
    )
    func ctrf(sample: Sample) throws {
        let rules = try CTRFRules(Format.ctrf.bytes(of: sample.report, color: false))
        #expect(rules.violations.isEmpty)
    }

    @Test("CTRF has a name even for a test that has none")
    func ctrfName() throws {
        let nameless = Retry(name: "", module: nil, maxRetriesAllowed: 0, reason: "", fixable: true)
        let rules = try CTRFRules(Format.ctrf.bytes(of: Report(retries: [nameless]), color: false))
        #expect(rules.violations.isEmpty)
    }

    @Test("CTRF calls flaky what recovered, and nothing else")
    func ctrfOutcomes() throws {
        let results = try #require(try object(.ctrf, Sample.mixed)["results"] as? [String: Any])
        let tests = try #require(results["tests"] as? [[String: Any]])
        #expect(tests.map { $0["flaky"] as? Bool } == [true, false, false, false, true])
        #expect(tests.map { $0["status"] as? String } == ["passed", "failed", "other", "other", "passed"])
        #expect(tests.map { $0["retries"] as? Int } == [1, 2, 1, 0, 1])
        #expect(
            (tests[1]["retryAttempts"] as? [[String: Any]])?.map { $0["status"] as? String } == [
                "failed", "failed", "failed",
            ]
        )
        let steps = (results["extra"] as? [String: Any])?["steps"] as? [[String: Any]]
        #expect(steps?.map { $0["name"] as? String } == ["sign in", "open the cart"])
    }

    @Test("JSON is a report again")
    func json() throws {
        for report in [Sample.mixed, Sample.hostile] {
            #expect(try Report(json: Format.json.bytes(of: report, color: false)) == report)
        }
    }

    @Test("a Slack message keeps Slack's limits", arguments: [0, 1, 45, 46, 5000])
    func slack(count: Int) throws {
        var report = Sample.many(count)
        for index in report.retries.indices.prefix(3) {
            report.retries[index].reason += String(repeating: "&", count: 10_000)
            report.retries[index].name += String(repeating: "😀", count: 10_000)
        }
        let message = try object(.slack, report)
        let blocks = try #require(message["blocks"] as? [[String: Any]])
        #expect(blocks.count <= 50)
        #expect(message["text"] as? String != "")
        for block in blocks {
            let text = try #require((block["text"] as? [String: Any])?["text"] as? String)
            #expect(text.utf16.count <= (block["type"] as? String == "header" ? 150 : 3000))
        }
        let last = (blocks.last?["text"] as? [String: Any])?["text"] as? String
        #expect((last == "… and \(count - 45) more") == (count > 45))
    }

    @Test("a Slack message calls nobody and links nowhere")
    func slackText() throws {
        let blocks = try #require(try object(.slack, Sample.hostile)["blocks"] as? [[String: Any]])
        for block in blocks.dropFirst() {
            let text = try #require(block["text"] as? [String: Any])
            #expect(text["verbatim"] as? Bool == true)
            let words = try #require(text["text"] as? String)
            #expect(!words.contains("<") && !words.contains(">"))
            #expect(!words.unicodeScalars.contains { $0.isControl && $0 != "\n" })
        }
    }
}
