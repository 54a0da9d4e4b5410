import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("What people read")
struct PersonFormatTests {
    private func text(_ format: ReportFormat, _ report: Report, color: Bool = false) throws -> String {
        String(decoding: try format.bytes(of: report.overview, hasColor: color), as: UTF8.self)
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
        func shown(_ report: Report) throws -> [String] {
            try text(.text, report, color: color).split(separator: "\n").map(String.init)
        }
        var lines = try shown(Sample.hostile)
        #expect(try lines.count == shown(Sample.harmless).count)
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

    @Test("text never begins with what GitHub takes for a command")
    func beginsWithColons() {
        var lines = TextLines(hasColor: false)
        for text in ["::error::forged", "   ::error::forged"] { lines.add(text) }
        for line in lines.text.split(separator: "\n") {
            #expect(!line.trimmingCharacters(in: .whitespaces).hasPrefix("::"))
        }
    }

    @Test("text of a megabyte is cut, and what was left out is counted")
    func longText() throws {
        var report = Sample.mixed
        report.tests[0].attempts[0].failures[0].message = String(repeating: "x", count: 1_000_000)
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
            #expect(lines.count == rows.count + 1 + 1)
        }
        let hostile = try text(.markdown, Sample.hostile)
        for forged in ["<script", "<!", "@ada", "##[", "![", " #1", "$x$", "**"] {
            #expect(!hostile.contains(forged), "\(forged)")
        }
    }

    @Test("Markdown stays below what a step summary takes, and says how many rows it left out")
    func longMarkdown() throws {
        let shown = try text(.markdown, Sample.many(7000))
        #expect(shown.utf8.count < 1 << 20)
        let rows = shown.split(separator: "\n").filter { $0.hasPrefix("| ⚠️") }.count
        #expect(shown.hasSuffix("… and \(7000 - rows) more rows, left out for length.\n"))
        // Else the table would be text.
        #expect(shown.contains("\n\n| Outcome"))
    }

    @Test(
        "GitHub is sent ten warnings and ten errors at most, errors first, and the rest as a number",
        arguments: [0, 1, 10, 12]
    )
    func github(count: Int) throws {
        var report = Sample.many(count)
        if count > 1 { report.tests[count - 1].outcome = .failed }
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

    @Test("the page needs nothing from a network, runs what is in it alone, and is less than 40 KB beyond its data")
    func selfContained() throws {
        let page = try text(.html, Sample.mixed)
        for reference in ["http:", "https:", "src=", "url(", "@import", "<link"] { #expect(!page.contains(reference)) }
        #expect(page.contains("default-src 'none'"))
        #expect(try text(.html, Sample.empty).utf8.count < 40_000)
    }

    @Test("the page folds what is beyond a few screens, and its scripts and style are not needed to unfold it")
    func folding() throws {
        var report = Sample.many(1000)
        for index in report.tests.indices { report.tests[index].mark.reason = "reason \(index % 50)" }
        let page = try text(.html, report)
        let shown = page.components(separatedBy: "<details class=\"rest\">")[0]
        #expect(page.components(separatedBy: "<li data-outcome=\"recovered\">").count == 1000 + 1)
        #expect(shown.components(separatedBy: "<li data-outcome=\"recovered\">").count == HTMLPart.itemLimit + 1)
        // Each of 50 reasons folds ten of its twenty tests, and 30 of the reasons are folded.
        #expect(page.components(separatedBy: "<summary>and 10 more</summary>").count == 50 + 1)
        #expect(page.components(separatedBy: "<summary>and 30 more</summary>").count == 1 + 1)
    }

    @Test("the page puts failures first, then what flakes most, each reason with its count and cost")
    func groups() throws {
        var report = Sample.many(6)
        for index in 0..<3 { report.tests[index].mark.reason = "often" }
        for index in 3..<5 { report.tests[index].mark.reason = "rarely" }
        report.tests[5].mark.reason = "broken"
        report.tests[5].outcome = .failed
        let page = try text(.html, report)
        let headings = page.split(separator: "\n").compactMap { line in
            line.hasPrefix("<h2>") || line.hasPrefix("<h3>") ? line.prefix(while: { $0 != " " }) : nil
        }
        #expect(headings == ["<h2>Failed</h2>", "<h2>Flaky</h2>", "<h3>often", "<h3>rarely"])
        #expect(page.contains("failed, 2 attempts · reason: broken · ShopTests"))
        #expect(page.contains("<p class=\"soft\">3 tests, 24 ms spent on retries</p>"))
        // A failure is unfolded if it is the only one.
        #expect(page.components(separatedBy: "<details open>").count == 1 + 1)
        report.tests[4].outcome = .failed
        #expect(try !text(.html, report).contains("<details open>"))
    }

    @Test("the page begins with the verdict, the tests that failed, and the command that runs them again")
    func verdict() throws {
        var report = Sample.many(9)
        for index in 0..<7 { report.tests[index].outcome = .failed }
        report.tests[7].outcome = .pending
        let page = try text(.html, report)
        let header = page.components(separatedBy: "</header>")[0]
        #expect(header.contains("<h1 class=\"bad\">7\u{A0}failed, 1\u{A0}pending, 1\u{A0}flaky</h1>"))
        #expect(header.contains("<p>Failed (7):</p>"))
        #expect(header.contains("<li>and 2 more</li>"))
        #expect(header.contains("<p>Pending (1):</p>"))
        for link in ["Failed-0", "Failed-4", "Pending-0"] {
            #expect(header.contains("<a href=\"#\(link)\"><code>-[ManyTests test1000"))
            #expect(page.components(separatedBy: "<li id=\"\(link)\"").count == 1 + 1)
        }
        let tests = [0, 1, 2, 3, 4, 7].map { "ShopTests.ManyTests/test1000\($0)$" }.joined(separator: "|")
        #expect(header.contains("<p>To run these again:</p>"))
        #expect(header.contains("swift test --filter &#39;\(tests)&#39;"))
    }

    @Test("the page has the command for the only failure once, or one that finds why the first test flakes")
    func command() throws {
        var report = Sample.many(1)
        report.tests[0].outcome = .failed
        let page = try text(.html, report)
        #expect(page.contains("<p>To run it again:</p>"))
        #expect(page.components(separatedBy: "swift test --filter").count == 1 + 1)
        report = Sample.many(3)
        report.tests[0].mark.reason = "rarely"
        let flaky = try text(.html, report)
        #expect(flaky.contains("swift run retries why -- swift test --filter &#39;ShopTests.ManyTests/test10001$"))
    }

    @Test("only with the list of all tests do formats say that none failed", arguments: [false, true])
    func unknownRest(isKnown: Bool) throws {
        let all = isKnown ? SwiftPMResults(root: XMLTree(name: "testsuites"), file: "x.xml", writtenAt: [:]) : nil
        func shown(_ report: Report, _ format: ReportFormat) throws -> String {
            let overview = Overview(report, allTests: all, now: Sample.now)
            return String(decoding: try format.bytes(of: overview, hasColor: true), as: UTF8.self)
        }
        let none = isKnown ? "good\">None failed, none flaky of 0\u{A0}tests" : "plain\">No test was retried"
        #expect(try shown(Sample.empty, .html).contains("<h1 class=\"\(none)</h1>"))
        #expect(try shown(Sample.empty, .text).contains("\u{1B}[1;32mSUMMARY") == isKnown)
        let one = try shown(Sample.many(1), .text)
        #expect(one.contains("1 flaky of 1 test") == isKnown)
        #expect(!one.contains("None failed"), "the list does not have the retried test")
    }

    @Test("a row of the page refers to the message above if it is the same, but not across a fold")
    func repeated() throws {
        let message = "<span class=\"why strong\">XCTAssertNotNil failed</span>"
        let same = "<span class=\"why\">same message as above</span>"
        var report = Sample.many(12)
        let page = try text(.html, report)
        #expect(page.components(separatedBy: message).count == 2 + 1)
        #expect(page.components(separatedBy: same).count == 12 - 2 + 1)
        for index in 0..<3 { report.tests[index].outcome = index == 2 ? .pending : .failed }
        #expect(try text(.html, report).components(separatedBy: same).count == 9 - 1 + 1)
    }

    @Test("the page shows both ends of a long message in a row, and all of it in the attempt")
    func longMessage() throws {
        var report = Sample.many(1)
        let message = "XCTAssertEqual failed: (\"\(String(repeating: "x", count: 1000))\") - the order is empty"
        report.tests[0].attempts[0].failures[0].message = message
        let page = try text(.html, report).replacing("&quot;", with: "\"")
        #expect(page.contains("<span class=\"why strong\">XCTAssertEqual failed: (\"xxx"))
        #expect(page.contains("x … x"))
        #expect(page.contains("- the order is empty</span>"))
        #expect(page.contains("<pre tabindex=\"0\">\(message)</pre>"))
    }

    @Test("the page shows five lines of the source around a failure, escaped, where the source is there")
    func evidence() throws {
        var report = Sample.many(1)
        report.run?.origin.folder = "Shop"
        let run = try CommandRun(report)
        try run.makeFolder(".git")
        let source = (1...20).map { $0 == 10 ? "      XCTAssertNotNil(a < b)" : "    line \($0)" }.joined(
            separator: "\n"
        )
        try run.write(Array(source.utf8), to: "Shop/Tests/ShopTests/Shop.swift")
        let page = run("report", "r.json", "--format", "html").output
        let excerpt = """
            <pre class="source" tabindex="0"> 8  line 8
             9  line 9
            <mark>10    XCTAssertNotNil(a &lt; b)</mark>
            11  line 11
            12  line 12</pre>
            """
        #expect(page.contains(excerpt))
    }

    @Test(
        "the page shows nothing of a file that is no source of the repository, whatever a report says",
        arguments: [
            ("../secret.swift", 1), ("Link.swift", 1), ("secret.txt", 1), ("@/secret.swift", 1), ("Tests.swift", 0),
            ("Tests.swift", 3), ("Tests.swift", .min), ("Tests.swift", .max), ("Folder.swift", 1), ("", 1),
            ("Pipe.swift", 1),
        ]
    )
    func noEvidence(file: String, line: Int) throws {
        let run = try CommandRun()
        for path in ["secret.swift", "shop/secret.txt", "shop/Tests.swift"] {
            try run.write(Array("secret\n".utf8), to: path)
        }
        try run.makeFolder("shop/.git")
        try run.makeFolder("shop/Folder.swift")
        try run.link("shop/Link.swift", to: "../secret.swift")
        #expect(mkfifo(run.folder.appendingPathComponent("shop/Pipe.swift").path, 0o600) == 0)
        var report = Sample.many(1)
        let path = file.replacingOccurrences(of: "@", with: run.folder.path)
        report.tests[0].attempts[0].failures = [Failure(message: "m", file: path, line: line, kind: .error)]
        try run.write(report, to: "shop/r.json")
        run.subfolder = "shop"
        #expect(!run("report", "r.json", "--format", "html").output.contains("class=\"source\""))
    }
}
