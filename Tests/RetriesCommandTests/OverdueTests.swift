import Foundation
import RetryReport
import TestSupport
import Testing

@testable import RetriesCommand

/// Runs on 2026-03-01, read at noon in UTC unless a test says when.
@Suite("A mark's date")
struct OverdueTests {
    private static let day = ["yesterday": "2026-02-28", "today": "2026-03-01", "tomorrow": "2026-03-02"]

    private func report(_ marks: MarkCount..., tests: [TestRecord] = []) -> Report {
        Sample.run(0, marks, retries: tests)
    }

    @Test(
        "a mark is overdue from the day after its date, where the command runs",
        arguments: [
            ("Pacific/Kiritimati", "2026-02-28T10:00:00Z", "2026-03-01T09:59:59Z"),
            ("UTC", "2026-03-01T00:00:00Z", "2026-03-01T23:59:59Z"),
            ("America/Los_Angeles", "2026-03-01T08:00:00Z", "2026-03-02T07:59:59Z"),
        ]
    )
    func zones(zone: String, first: String, last: String) throws {
        for moment in [first, last] {
            for (day, until) in Self.day {
                let run = try CommandRun(report(Sample.mark("late", until: until)))
                (run.timeZone, run.now) = (zone, try #require(Timestamp.date(moment)))
                let outcome = run("check", "r.json", "--overdue")
                #expect(outcome.code == (day == "yesterday" ? 1 : 0), "\(zone), \(moment), until \(day)")
                let history = run("history", "r.json").output
                let shown = day == "yesterday" ? "overdue for 1 day" : "until \(until)"
                #expect(history.contains("late (fixable, \(shown))\n"), "\(zone), \(moment), until \(day)")
            }
        }
    }

    @Test("the day ends where the process is")
    func process() async throws {
        let run = try CommandRun()
        // It ends here 26 hours before it ends there, so that it is over in one of the two places alone.
        let here = Day(Date(), in: try #require(TimeZone(identifier: "Pacific/Kiritimati")))
        let text = Timestamp.text(Date(timeIntervalSince1970: Double(here.number - 1) * 86_400)).prefix(10)
        try run.write(report(Sample.mark("late", until: String(text))), to: "r.json")
        for (zone, code) in [
            ("Pacific/Kiritimati", 1), (":Pacific/Kiritimati", 1), ("LINT-14", 1), ("Etc/GMT+12", 0),
        ] as [(String, Int32)] {
            let arguments = ["check", "r.json", "--overdue"]
            let child = try await ChildRun.of(
                Checkout.program("retries"),
                arguments,
                environment: ["TZ": zone],
                in: run.folder
            )
            #expect(child.ending == .exitCode(code), "\(zone): \(child)")
        }
    }

    @Test("of a mark's dates in one run, the earliest counts, also if only the record of its flake has it")
    func earliest() throws {
        let test = Sample.flaked("late", in: 0)
        var early = test
        early.mark.until = "2026-02-28"
        let run = try CommandRun(report(Sample.mark("late", until: nil), tests: [early]))
        #expect(run("check", "r.json", "--overdue").code == 1)
        try run.write(report(Sample.mark("late", until: nil), tests: [test]), to: "r.json")
        #expect(run("check", "r.json", "--overdue").code == 0)
    }

    @Test("check --overdue has a line for each overdue mark that ran, the longest overdue first, and no other limit")
    func lines() throws {
        // The process died before it counted this test's mark.
        var lost = Sample.retry("-[A a]", .recovered, [.flaked, .passed])
        lost.mark.until = "2026-02-28"
        let marks = report(
            Sample.mark("a week", until: "2026-02-22"),
            Sample.mark("not yet", line: 20, until: "2026-03-01"),
            Sample.mark("no date", line: 30),
            Sample.mark("a year", line: 40, until: "2025-03-01"),
            tests: [lost]
        )
        let run = try CommandRun(marks)
        let file = "Tests/ShopTests/Login.swift"
        let expected = CommandRun.Outcome.says(
            "\(file):40: a year (fixable, overdue for 365 days; until: 2025-03-01)",
            "\(file):12: a week (fixable, overdue for 7 days; until: 2026-02-22)",
            "Tests/ShopTests/Shop.swift:7: the token arrives late (fixable, overdue for 1 day; until: 2026-02-28)",
            code: 1
        )
        #expect(run("check", "r.json", "--overdue") == expected)
        #expect(run("check", "r.json", "--overdue", "--max-flaky", "0").output.split(separator: "\n").count == 4)
        run.now -= 400 * 86_400
        let fine = "no mark is overdue; the run ended 399 days in the future"
        #expect(run("check", "r.json", "--overdue") == .says(fine))
        #expect(
            run("check", "r.json", "--overdue", "--max-flaky", "1")
                == .says(
                    fine.replacingOccurrences(of: "; the", with: "; 1 test retried (1 flaky): within the limits; the")
                )
        )
    }

    @Test("check --overdue needs marks, and is about one run")
    func refusals() throws {
        let run = try CommandRun(Sample.empty)
        #expect(
            run("check", "r.json", "--overdue")
                == .refuses("--overdue needs a report that counts marks; an older version wrote this one")
        )
        #expect(
            run("check", "r.json", "--overdue", "--stale", "9")
                == .refuses("--stale is about many runs, all other limits about one: run check twice")
        )
    }

    @Test(
        "history and its formats begin with what is overdue, by the newest run's date, and never with a mark that is gone"
    )
    func history() throws {
        let run = try CommandRun()
        let runs = [
            [Sample.mark("gone", line: 1, until: "2020-01-01"), Sample.mark("moved", line: 2, until: "2020-01-01")],
            [
                Sample.mark("moved", line: 2, until: "2027-01-31"), Sample.mark("flakes", line: 3, flakes: 1),
                Sample.mark("a week", line: 4, until: "2026-02-22"),
                // Two of one reason in one file are one mark, of which the earlier date counts.
                Sample.mark("a year", line: 5), Sample.mark("a year", line: 6, until: "2025-03-01"),
            ],
        ]
        for (number, marks) in runs.enumerated() {
            try run.write(Sample.run(number - 1, marks), to: "runs/\(number).json")
        }
        func shown(_ format: HistoryFormat) -> String { run("history", "runs", "--format", format.rawValue).output }
        let titles = shown(.text).split(separator: "\n").filter { !$0.hasPrefix(" ") && !$0.hasPrefix("SUMMARY") }
        #expect(
            titles == [
                "NEW      a year (fixable, overdue for 365 days)", "NEW      a week (fixable, overdue for 7 days)",
                "NEEDED   flakes (fixable)", "NEW      moved (fixable, until 2027-01-31)",
                "REMOVED  gone (fixable, until 2020-01-01)",
            ]
        )
        #expect(shown(.markdown).contains("a week<br>*fixable, overdue for 7 days*, "))
        let page = shown(.html)
        #expect(page.contains("a week</span><span class=\"why strong\">overdue for 7 days</span>"))
        #expect(page.contains("<dt>Mark</dt><dd>fixable, until 2027-01-31, at most 1 retry</dd>"))
        let json = shown(.json)
        #expect(json.components(separatedBy: "\"until\" : ").count == 5)
        #expect(json.contains("\"until\" : \"2027-01-31\""))
    }

    @Test("a page of a report begins its flaky tests with what is overdue, and shows text only where it is a date")
    func page() throws {
        var report = Report(run: Sample.run("1"))
        for (reason, until) in [("common", nil), ("late", "2026-02-22"), ("forged", "<b>soon"), ("due", "2026-03-01")] {
            for number in 0..<(reason == "common" ? 2 : 1) {
                var test = Sample.retry("-[A test\(reason)\(number)]", .recovered, [.flaked, .passed])
                (test.mark.reason, test.mark.until) = (reason, until)
                report.tests.append(test)
            }
        }
        let overview = Overview(report, now: Sample.now, timeZone: try #require(TimeZone(identifier: "UTC")))
        let page = String(decoding: try ReportFormat.html.bytes(of: overview), as: UTF8.self)
        let headings = page.split(separator: "\n").filter { $0.hasPrefix("<h3>") }
        #expect(
            headings == [
                "<h3>late <span class=\"mark\">fixable, overdue for 7 days</span></h3>",
                "<h3>common <span class=\"mark\">fixable</span></h3>",
                "<h3>due <span class=\"mark\">fixable, until 2026-03-01</span></h3>",
                "<h3>forged <span class=\"mark\">fixable</span></h3>",
            ]
        )
        #expect(!page.contains("soon"))
    }
}
