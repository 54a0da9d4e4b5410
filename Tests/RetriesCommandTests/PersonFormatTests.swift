import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("What people read")
struct PersonFormatTests {
    private func text(_ format: ReportFormat, _ report: Report, color: Bool = false) throws -> String {
        String(decoding: try format.bytes(of: report.overview, for: Terminal(hasColor: color)), as: UTF8.self)
    }

    @Test("text has colours on a terminal only, and never with NO_COLOR")
    func color() throws {
        let run = try CommandRun(Sample.mixed)
        run.isTerminal = true
        #expect(run("report", "r.json").output.contains("\u{1B}[1;33mFLAKY"))
        #expect(!run("check", "r.json").output.contains("\u{1B}"))
        run.environment = ["NO_COLOR": "1"]
        #expect(!run("report", "r.json").output.contains("\u{1B}"))
        run.environment = ["NO_COLOR": "", "TERM": "dumb"]
        #expect(!run("report", "r.json").output.contains("\u{1B}"))
        run.environment = [:]
        run.isTerminal = false
        #expect(!run("report", "r.json").output.contains("\u{1B}"))
    }

    @Test("text holds no line, escape or command of a test's making", arguments: [false, true])
    func hostileText(color: Bool) throws {
        let wide = Terminal(width: 10_000, hasColor: color)
        func lines(_ report: Report, _ terminal: Terminal) -> [String] {
            TextFormat(terminal: terminal).text(of: report.overview).split(separator: "\n").map(String.init)
        }
        #expect(lines(Sample.hostile, wide).count == lines(Sample.harmless, wide).count)
        var lines = lines(Sample.hostile, wide) + lines(Sample.hostile, Terminal(hasColor: color))
        if color {
            for style in ["\u{1B}[1;33m", "\u{1B}[1;31m", "\u{1B}[1m", "\u{1B}[0m"] {
                lines = lines.map { $0.replacingOccurrences(of: style, with: "") }
            }
        }
        for line in lines {
            #expect(!line.hasControlCharacters)
            #expect(!line.trimmingCharacters(in: .whitespaces).hasPrefix("::"))
            #expect(!line.contains("##["))
        }
    }

    @Test("text fits the terminal, breaks between words and indents what it wraps", arguments: [30, 40, 80, 200])
    func width(width: Int) throws {
        var report = Sample.mixed
        report.retries[0].reason = "the token 漢字漢字漢字漢字漢字漢字 " + String(repeating: "arrives late ", count: 20)
        report.retries[1].reason = String(repeating: "x", count: 500)
        let run = try CommandRun(report)
        run.isTerminal = true
        run.columns = width
        run.environment["NO_COLOR"] = "1"
        let lines = run("report", "r.json").output.split(separator: "\n")
        #expect(lines.contains { $0.columns > width - 12 })
        for line in lines where !line.contains("again: ") {
            #expect(line.columns <= width, "\(line)")
            #expect(!line.hasSuffix("arriv"))
        }
        let labels = ["FAILED", "PENDING", "RETRIED", "FLAKY", "STEP", "SUMMARY"]
        for line in lines {
            #expect(line.hasPrefix("         ") || labels.contains { line.hasPrefix($0) }, "\(line)")
        }
    }

    @Test("text is not broken where there is no terminal, and 80 columns wide on one that does not say")
    func noTerminal() throws {
        var report = Sample.mixed
        report.retries[0].reason = String(repeating: "late ", count: 100)
        let run = try CommandRun(report)
        #expect(run("report", "r.json").output.contains("reason: \(report.retries[0].reason) (fixable), at Tests/"))
        run.isTerminal = true
        run.environment["NO_COLOR"] = "1"
        let lines = run("report", "r.json").output.split(separator: "\n").filter { !$0.contains("again: ") }
        #expect(lines.map(\.columns).max().map { 75...80 ~= $0 } == true)
    }

    @Test("a broken line never begins with what GitHub takes for a command", arguments: 20...60)
    func brokenLines(width: Int) {
        let text = "see ::error::forged and ::warning::forged   ::notice::forged too"
        for line in text.wrapped(to: width) {
            #expect(!line.trimmingCharacters(in: .whitespaces).hasPrefix("::"))
        }
    }

    @Test("text of a megabyte is cut, and what was left out is counted")
    func longText() throws {
        var report = Sample.mixed
        report.retries[0].attempts[0].failures[0].message = String(repeating: "x", count: 1_000_000)
        let shown = try text(.text, report)
        #expect(shown.utf8.count < 10_000)
        #expect(shown.contains("… (999000 characters more)"))
    }

    @Test("Markdown has as many rows and cells as it should, whatever the text holds")
    func markdown() throws {
        for report in [Sample.mixed, Sample.hostile] {
            let lines = try text(.markdown, report).split(separator: "\n").map(String.init)
            let rows = lines.filter { $0.hasPrefix("|") }
            #expect(rows.count == 5 + 2 + 2 + 2)
            #expect(rows.allSatisfy { $0.filter { $0 == "|" }.count == 5 })
            #expect(lines.count == rows.count + 2 + 3)
        }
        let hostile = try text(.markdown, Sample.hostile)
        for forged in ["<script", "<!", "@ada", "##[", "![", " #1", "$x$", "**"] {
            #expect(!hostile.contains(forged), "\(forged)")
        }
    }

    @Test("Markdown stays below what a step summary takes, and says how many rows it left out")
    func longMarkdown() throws {
        let shown = try text(.markdown, Sample.many(20_000))
        #expect(shown.utf8.count < 1 << 20)
        let rows = shown.split(separator: "\n").filter { $0.hasPrefix("| ⚠️") }.count
        #expect(shown.hasSuffix("… and \(20_000 - rows) more tests, left out for length.\n"))
    }

    @Test(
        "GitHub is sent ten warnings and ten errors at most, errors first, and the rest as a number",
        arguments: [0, 1, 10, 12, 500]
    )
    func github(count: Int) throws {
        var report = Sample.many(count)
        if count > 1 { report.retries[count - 1].outcome = .failed }
        let lines = try text(.github, report).split(separator: "\n")
        let failed = count > 1 ? 1 : 0
        #expect(lines.filter { $0.hasPrefix("::warning ") }.count == min(count - failed, 10))
        #expect(lines.filter { $0.hasPrefix("::error ") }.count == failed)
        if count > 1 { #expect(lines[0].hasPrefix("::error file=Tests/ShopTests/Shop.swift,line=10,title=FAILED")) }
        if count > 11 {
            #expect(lines[11] == "::notice title=Retryable::and \(count - 11) more. 1 failed, \(count - 1) flaky")
        }
    }

    @Test("GitHub is sent its own commands only, whatever the text holds")
    func hostileGitHub() throws {
        let lines = try text(.github, Sample.hostile).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 7 + 1)
        for line in lines.dropLast() {
            #expect(line.hasPrefix("::warning file=") || line.hasPrefix("::error file="))
            #expect(!line.hasControlCharacters)
            let start = try #require(line.firstIndex(of: " "))
            let properties = try #require(line[start...].range(of: "::")).lowerBound
            let names = line[start..<properties].dropFirst().split(separator: ",").map { $0.prefix { $0 != "=" } }
            #expect(names.filter { $0 != "line" } == ["file", "title"])
        }
    }

    @Test("the page has the tags of its own and no others, whatever the text holds")
    func hostilePage() throws {
        func tags(_ report: Report) throws -> [String] {
            let page = try text(.html, report)
            let body = page[(page.range(of: "<body>")?.lowerBound ?? page.startIndex)...]
            return body.split(separator: "<").dropFirst().map { tag in
                String(tag.prefix { $0 != ">" && $0 != " " && $0 != "\n" })
            }
        }
        #expect(try tags(Sample.hostile) == tags(Sample.harmless))
        #expect(try tags(Sample.hostile).filter { $0 == "script" }.count == 1)
        let page = try text(.html, Sample.hostile)
        #expect(!page.hasControlCharacters)
        #expect(!page.contains("##["))
    }

    @Test("the page needs nothing from a network and runs what is in it alone")
    func selfContained() throws {
        let page = try text(.html, Sample.mixed)
        for reference in ["http:", "https:", "src=", "url(", "@import", "<link"] { #expect(!page.contains(reference)) }
        #expect(page.contains("default-src 'none'"))
    }

    @Test("the page draws attempts to scale with their durations")
    func strips() throws {
        let page = try text(.html, Sample.mixed)
        // The longest test took 4 + 8 + 12 ms.
        for width in ["16.6%", "33.3%", "50.0%"] { #expect(page.contains("width:\(width)")) }
        #expect(page.contains("aria-label=\"attempt 1 flaked after 4 ms, attempt 2 passed after 8 ms\""))
    }

    @Test("the page has a row for each test, be it none or 5,000", arguments: [0, 1, 5000])
    func rows(count: Int) throws {
        let page = try text(.html, Sample.many(count))
        #expect(page.components(separatedBy: "<li data-outcome=\"recovered\" data-mark").count == count + 1)
        #expect(page.contains("<form class=\"tools\"") == (count > 0))
    }

    @Test("the page is less than 40 KB beyond its data")
    func size() throws {
        #expect(try text(.html, Sample.empty).utf8.count < 40_000)
    }

    @Test("the page folds what is beyond a few screens, and its scripts and style are not needed to unfold it")
    func folding() throws {
        var report = Sample.many(1000)
        for index in report.retries.indices { report.retries[index].reason = "reason \(index % 50)" }
        let page = try text(.html, report)
        let shown = page.components(separatedBy: "<details class=\"rest\">")[0]
        #expect(
            shown.components(separatedBy: "<li data-outcome=\"recovered\" data-mark").count == HTMLPart.itemLimit + 1
        )
        // Each of 50 reasons folds ten of its twenty tests, and 30 of the reasons are folded.
        #expect(page.components(separatedBy: "<summary>and 10 more</summary>").count == 50 + 1)
        #expect(page.components(separatedBy: "<summary>and 30 more</summary>").count == 1 + 1)
    }

    @Test("the page puts failures first, then what flakes most, each reason with its count and cost")
    func groups() throws {
        var report = Sample.many(6)
        for index in 0..<3 { report.retries[index].reason = "often" }
        for index in 3..<5 { report.retries[index].reason = "rarely" }
        report.retries[5].reason = "broken"
        report.retries[5].outcome = .failed
        let page = try text(.html, report)
        let headings = page.components(separatedBy: "<h2>").dropFirst().map { $0.prefix { $0 != "<" } }
        #expect(headings == ["Failed", "often ", "rarely "])
        #expect(page.contains("failed, 2 attempts · reason: broken · failure: XCTAssertNotNil failed"))
        #expect(page.contains("<p class=\"soft\">3 tests, 24 ms spent on retries</p>"))
        // The first failure is open, and in it the attempt that failed.
        #expect(page.components(separatedBy: "<details open>").count == 1 + 1)
        #expect(page.contains("<details class=\"attempt flaked\" open>"))
        #expect(page.contains("<details class=\"attempt passed\">"))
    }
}
