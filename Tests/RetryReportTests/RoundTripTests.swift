import Foundation
import TestSupport
import Testing

@testable import RetryReport

@Suite("Writing and reading")
final class RoundTripTests: FolderTests {
    static let texts = [
        "", "\"quotes\" and \\backslashes\\ /", "a\nb\r\nc\td",
        String(String.UnicodeScalarView((0..<0x20).compactMap(Unicode.Scalar.init))),
        "before\0after", "\u{7F}\u{85}\u{2028}\u{2029}\u{FEFF}", "ünïcödé 漢字 👩‍👩‍👧 e\u{301}", "\u{FFFF}\u{10FFFF}",
        "</script><!-- ]]> ${x} `rm`", "\\u0041 \\n",
    ]

    @Test("writing and reading give back any text exactly, wherever it stands", arguments: texts)
    func text(_ text: String) throws {
        var retry = TestRecord.queued(text, module: text, message: text)
        retry.mark.reason = text
        retry.file = text
        var step = Step.sample(text, test: text, file: text)
        step.module = text
        let run = Report.Run(id: text, startedAt: .morning, mode: text, settings: [text: text])
        let report = Report(run: run, tests: [retry], steps: [step])
        let read = try Report(json: report.json())
        #expect(read == report)
        // Equal strings may differ in how their letters are put together.
        #expect(read.tests.first.map { Array($0.mark.reason.utf8) } == Array(text.utf8))
        // Foundation's reader is the judge of whether this is JSON.
        let judged = try JSONSerialization.jsonObject(with: Data(report.json())) as? [String: Any]
        #expect(((judged?["retries"] as? [[String: Any]])?.first?["reason"] as? String) == text)
    }

    @Test("writing and reading give back an attempt's seed")
    func seed() throws {
        var retry = TestRecord.queued("t")
        var seed = TaskSeed(seed: 17, outsideJobs: 2)
        seed.blockedJobs = 1
        retry.attempts[0].taskSeed = seed
        #expect(try Report(json: Report(tests: [retry]).json()).tests == [retry])
        #expect(seed.limit == "seed 17 does not decide alone: 2 jobs came from another thread, 1 job blocked a thread")
        #expect(TaskSeed(seed: 17).limit == nil)
    }

    @Test("writing and reading give back a megabyte of text exactly, through a file")
    func megabyte() throws {
        let text = String(repeating: "0123\"\\\n\u{1}\0é", count: 100_000)
        let file = try openFile()
        for name in ["a", "b", "c"] { try file.update(.queued(name, message: text)) }
        let retries = try report.tests
        #expect(retries.map { $0.attempts.first?.failures.first?.message == text } == [true, true, true])
    }

    @Test(
        "writing and reading give back numbers, and counts between 0 and a thousand million",
        arguments: [0, 1, -1, 9, 10, .max, .min]
    )
    func int(_ value: Int) throws {
        var retry = TestRecord.queued("t")
        retry.line = value
        retry.mark.maxRetryCount = value
        #expect(retry.ending.hasPrefix("flaked on attempt 1 of "))
        let read = try #require(try Report(json: Report(tests: [retry]).json()).tests.first)
        #expect(read.mark.maxRetryCount == min(max(value, 0), 1_000_000_000))
        #expect(read.line == value)
    }

    @Test(
        "writing and reading give back seconds to the microsecond, between 0 and a thousand million",
        arguments: [
            (0.0, 0.0), (1, 1), (0.1, 0.1), (0.123456789, 0.123457), (1e-7, 0), (1e-6, 1e-6), (86_400.5, 86_400.5),
            (1e15, 1e9), (-9_223_372_036_854_775_808, 0), (-0.25, 0), (.infinity, 1e9), (.nan, 0), (-0.0, 0),
        ]
    )
    func seconds(value: Double, read: Double) throws {
        var retry = TestRecord.queued("t")
        retry.attempts = [AttemptRecord(number: 1, outcome: .flaked, startedAt: Date(), duration: value)]
        let report = try Report(json: Report(tests: [retry]).json())
        #expect(report.tests.first?.attempts.first?.duration == read)
    }

    @Test("the load of a machine is read though it lacks a number, or has an impossible one")
    func load() throws {
        let read = try JSONDecoder().decode(MachineLoad.self, from: Data(#"{"own": 1e300, "slowdown": -2}"#.utf8))
        #expect(read == MachineLoad(late: 0, own: 1e9, slowdown: 0))
    }

    @Test("a report that is read and written again is the same bytes, for times and seconds of any kind")
    func stable() throws {
        var generator = SystemRandomNumberGenerator()
        var retry = TestRecord.queued("t")
        retry.attempts = (1...2000).map { number in
            AttemptRecord(
                number: number,
                outcome: .flaked,
                startedAt: Date(timeIntervalSince1970: .random(in: 0...4e9, using: &generator)),
                duration: .random(in: 0...1e4, using: &generator)
            )
        }
        let once = try Report(tests: [retry]).json()
        #expect(try Report(json: once).json() == once)
    }

    @Test("escapes that other programs write are read")
    func escapes() throws {
        let json = #"""
            {"retries": [{"\u006eame": "\u0041\/\b\f\ud83d\ude00", "maxRetriesAllowed": 1e0,
            "attemptedRetries": -0, "reason": "", "fixable": true}]}
            """#
        let retry = try #require(try Report(json: Array(json.utf8)).tests.first)
        #expect(retry.name == "A/\u{8}\u{C}😀")
        #expect(retry.mark.maxRetryCount == 1)
    }
}
