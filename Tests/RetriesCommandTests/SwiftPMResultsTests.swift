import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("SwiftPM's own file")
struct SwiftPMResultsTests {
    private let file = """
        <?xml version="1.0" encoding="UTF-8"?>

        <testsuites>
        <testsuite name="TestResults" errors="0" tests="5" failures="1" time="0.165182659">
        <testcase classname="ShopTests.CartTests" name="testAdds" time="0.041951912">
        </testcase>
        <testcase classname="ShopTests.CheckoutTests" name="testPays" time="0.047720494">
        <failure message="told by another"><![CDATA[</testcase>]]></failure>
        </testcase>
        <!-- <testcase classname="ShopTests.CartTests" name="testAdds"> -->
        <testcase classname="ShopTests.PlainTests" name="testCounts" time="0.030777857">
        </testcase>
        <testcase classname="ShopTests.Search" name="finds()" time="0.000241152" />
        <testcase classname="Old.OldTests" name="testOld" time='0.2'/>
        </testsuite>
        </testsuites>

        """

    @Test("SwiftPM's own file is completed by what flaked, and all else stays as it was")
    func completed() throws {
        let run = try CommandRun(Sample.mixed)
        try run.write(Array(file.utf8), to: "x.xml")
        let outcome = run("report", "r.json", "--xunit", "x.xml", "--format=junit", "--output", "y.xml")
        let tests = "-[OldTests testOld], ShopTests -[VideoTests testResumes]"
        let doubt = "x.xml does not have, or has as passed, 2 retried tests: \(tests)."
        #expect(outcome == CommandRun.Outcome(errors: "retries: \(doubt)\n"))
        let before = SurefireRules(Array(file.utf8))
        let after = SurefireRules(try run.bytes(of: "y.xml"))
        #expect(after.violations.isEmpty)
        #expect(after.root?.children.map(\.attributes) == before.root?.children.map(\.attributes))
        #expect(after.cases.map(\.attributes) == before.cases.map(\.attributes))
        #expect(
            after.elements == [["flakyFailure"], ["failure", "rerunFailure", "rerunError"], [], ["flakyFailure"], []]
        )
        #expect(after.cases[1].children[0].attributes["message"] == "XCTAssertNotNil failed")
        #expect(after.cases[1].children[0].text.hasSuffix("\ntold by another"))
    }

    @Test("SwiftPM's own file may have sentences as names of tests, as Swift Testing writes them")
    func sentences() throws {
        let suite = #"ShopTests.`A < B & "C"`"#
        let test = #"`x < y & "z" or 'q' &amp; w`()"#
        let message = "m &lt; &quot;`q` &#96;"
        let file = """
            <testsuites>
            <testsuite name="TestResults" errors="0" tests="2" failures="1" skipped="0" time="0.1">
            <testcase classname="\(suite)" name="\(test)" time="0.1" >
            <failure message="\(message)" />
            </testcase>
            <testcase classname="ShopTests" name="`odd`()" time="0.1" />
            </testsuite>
            </testsuites>
            """
        let after = SurefireRules(try completed(file, with: Sample.mixed.tests))
        #expect(after.violations.isEmpty)
        #expect(after.cases.map { $0.attributes["classname"] } == [suite, "ShopTests"])
        #expect(after.cases.map { $0.attributes["name"] } == [#"`x < y & "z" or 'q' & w`()"#, "`odd`()"])
        #expect(after.cases[0].children.first?.attributes["message"] == #"m < "`q` `"#)
    }

    @Test("SwiftPM's own file of XCTest is joined by Swift Testing's, which SwiftPM writes beside it")
    func bothFrameworks() throws {
        let run = try wholeRun(Sample.mixed)
        #expect(run("report", "r.json", "--xunit", "x.xml", "--format=junit", "--output", "y.xml").code == 0)
        let after = SurefireRules(try run.bytes(of: "y.xml"))
        #expect(after.violations.isEmpty)
        let (first, second) = (SurefireRules(Array(file.utf8)), SurefireRules(Array(swiftTesting.utf8)))
        #expect(after.cases.map(\.attributes) == (first.cases + second.cases).map(\.attributes))
        #expect(after.cases[6].xml() == second.cases[1].xml(indent: ""))
    }

    @Test(
        "SwiftPM's own file of XCTest is joined by Swift Testing's, whatever its name ends in",
        arguments: [("x", "x-swift-testing"), ("a.d/x", "a.d/x-swift-testing"), ("x.junit", "x-swift-testing.junit")]
    )
    func endings(name: String, other: String) throws {
        let run = try CommandRun(failedSearch)
        try run.write(Array(file.utf8), to: name)
        try run.write(Array(swiftTesting.utf8), to: other)
        #expect(run("report", "r.json", "--xunit", name).output.contains("3 failed, 1 flaky of 9 tests"))
    }

    /// The file that SwiftPM writes of Swift Testing: a failure for each issue.
    private let swiftTesting = """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite name="TestResults" errors="0" tests="4" failures="3" skipped="1" time="0.006668516">
            <testcase classname="ShopTests.Search" name="finds()" time="0.003975139" >
              <failure message="Expectation failed: Bool(false) (error): never &lt;here&gt;" />
            </testcase>
            <testcase classname="ShopTests.Search.Inner" name="pays(amount:)" time="0.003" >
              <failure message="Expectation failed: (amount &#8594; 2) != 2 (error)" />
              <failure message="Expectation failed: (amount &#8594; 3) != 3 (error)" />
            </testcase>
            <testcase classname="ShopTests.Search" name="off()" >
              <skipped>off</skipped>
            </testcase>
            <testcase classname="ShopTests" name="top()" time="0.1" />
          </testsuite>
        </testsuites>
        """

    @Test("a suite's name in back quotes may have dots")
    func dots() throws {
        let text = swiftTesting.replacing("Search.Inner", with: "Search.`In. a`")
        let failures = try results(of: text).unmarkedFailures(beside: Report())
        #expect(failures.map(\.name) == ["Search/finds()", "Search/`In. a`/pays(amount:)"])
    }

    private var failedSearch: Report {
        var retry = Sample.retry("Search/finds()", .failed, [.flaked, .failed])
        for index in retry.attempts.indices {
            let message = "Expectation failed: Bool(false): never <here>"
            retry.attempts[index].failures = [Failure(message: message, file: "a.swift", line: 3, kind: .assertion)]
        }
        let other = Sample.retry("Search/Inner/pays(amount:) [1]", .recovered, [.flaked, .passed])
        return Report(run: Sample.run("1"), tests: [retry, other])
    }

    @Test(
        "SwiftPM's own file has one failure for a test that failed after its retries, all that flaked, and what did not as it was"
    )
    func elements() throws {
        func elements(_ test: Int, of text: String, with retries: [TestRecord]) throws -> [String] {
            #expect(try results(of: text).doubts(about: Report(tests: retries)).isEmpty)
            return SurefireRules(try completed(text, with: retries)).cases[test].children.map(\.name)
        }
        let (failed, flaky) = (failedSearch.tests[0], Sample.mixed.tests[0])
        let rerun = "rerunFailure"
        #expect(try elements(0, of: swiftTesting, with: [failed]) == ["failure", rerun])
        #expect(try elements(0, of: swiftTesting, with: [failed, failed]) == ["failure", rerun, rerun, rerun])
        // A case that recovered does not speak for one that failed.
        let recovered = failedSearch.tests[1]
        #expect(try elements(1, of: swiftTesting, with: [recovered]) == ["failure", "failure", "flakyFailure"])
        #expect(try elements(0, of: file, with: [flaky, flaky]) == ["flakyFailure", "flakyFailure"])
        // The report says what this failure was.
        let vague = file.replacing("told by another\"><![CDATA[</testcase>]]>", with: "failure\">")
        #expect(try elements(1, of: vague, with: [Sample.mixed.tests[1]]) == ["failure", rerun, "rerunError"])
        #expect(try SurefireRules(completed(file, with: [])).root?.xml() == SurefireRules(Array(file.utf8)).root?.xml())
        let text = SurefireRules(try completed(swiftTesting, with: [failed])).cases[0].children[0].text
        #expect(text.components(separatedBy: "never <here>").count == 2)
    }

    @Test(
        "SwiftPM's own file gives every format the whole run's totals, and what failed without a mark",
        arguments: [ReportFormat.text, .markdown, .html, .slack, .github, .filter]
    )
    func wholeRun(format: ReportFormat) throws {
        let run = try wholeRun(failedSearch)
        let outcome = run("report", "r.json", "--xunit", "x.xml", "--format", format.rawValue)
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        let text = outcome.output.replacing("\\/", with: "/")
        #expect(text.contains("testPays"))
        switch format {
        case .filter:
            let expressions = [
                "ShopTests.CheckoutTests/testPays$", #"ShopTests.Search/Inner/pays\(amount:\)"#,
                #"ShopTests.Search/finds\(\)"#,
            ]
            #expect(text == expressions.joined(separator: "|") + "\n")
        case .github: #expect(text.components(separatedBy: "::error ").count == 4)
        default:
            #expect(text.contains("3 failed, 1 flaky of 9 tests"))
            #expect(!text.contains("Only tests that were retried are known"))
        }
    }

    /// A folder with a report and the files of both frameworks.
    private func wholeRun(_ report: Report) throws -> CommandRun {
        let run = try CommandRun(report)
        try run.write(Array(file.utf8), to: "x.xml")
        try run.write(Array(swiftTesting.utf8), to: "x-swift-testing.xml")
        return run
    }

    private func results(of text: String, writtenAt: Date? = nil) throws -> SwiftPMResults {
        let root = try #require(XMLTree(reading: Array(text.utf8)))
        return SwiftPMResults(root: root, file: "x.xml", writtenAt: writtenAt.map { ["x.xml": $0] } ?? [:])
    }

    /// A file as JUnit output completes it.
    private func completed(_ text: String, with retries: [TestRecord]) throws -> [UInt8] {
        let overview = Overview(Report(run: Sample.run("1"), tests: retries), allTests: try results(of: text))
        return try ReportFormat.junit.bytes(of: overview)
    }

    @Test(
        "SwiftPM's own file that contradicts the report is of another run, and every format says so",
        arguments: ReportFormat.allCases
    )
    func anotherRun(format: ReportFormat) throws {
        guard format != .json else { return }
        var report = failedSearch
        report.tests.append(Sample.retry("-[PlainTests testCounts]", .failed, [.flaked, .failed]))
        report.tests.append(Sample.retry("-[GoneTests testGone]", .recovered, [.flaked, .passed]))
        let outcome = try wholeRun(report)("report", "r.json", "--xunit", "x.xml", "--format", format.rawValue)
        #expect(outcome.code == 0)
        let said = outcome.output.replacing("\\[", with: "[").replacing("\\]", with: "]")
            .replacing("\n         ", with: " ")
        let text = format == .filter || format == .junit ? outcome.errors : said
        let names = "ShopTests -[GoneTests testGone], ShopTests -[PlainTests testCounts]"
        #expect(text.contains("x.xml does not have, or has as passed, 2 retried tests: \(names)."))
    }

    @Test("SwiftPM's own file that was written before the run began is of another run")
    func olderRun() throws {
        let older = try results(of: swiftTesting, writtenAt: Sample.start - 3600)
        #expect(
            older.doubts(about: failedSearch)
                == ["x.xml is of another run: it was written 2026-03-01 08:30:00 UTC, before this run began."]
        )
        #expect(try results(of: swiftTesting, writtenAt: Sample.start - 1).doubts(about: failedSearch).isEmpty)
        let run = try CommandRun(failedSearch)
        try run.write(Array(swiftTesting.utf8), to: "x.xml", at: Sample.start - 3600)
        #expect(run("report", "r.json", "--xunit", "x.xml").output.contains("WARNING  x.xml is of another run"))
        try run.write(Array("<testsuites/>".utf8), to: "x.xml", at: Sample.start)
        try run.write(Array(swiftTesting.utf8), to: "x-swift-testing.xml", at: Sample.start - 3600)
        let shown = run("report", "r.json", "--xunit", "x.xml").output
        #expect(shown.contains("WARNING  x-swift-testing.xml is of another run"), "of a run with XCTests, too")
    }

    @Test("SwiftPM's own file that counts a failure and names no failed test is doubted")
    func failureOfNoTest() throws {
        func doubts(_ failures: Int, _ failure: String = "") throws -> [String] {
            let test = "<testcase classname=\"ShopTests\" name=\"a()\">\(failure)</testcase>"
            let suite = "<testsuites><testsuite failures=\"\(failures)\">\(test)</testsuite></testsuites>"
            return try results(of: suite).doubts(about: Report(tests: []))
        }
        #expect(try doubts(1) == ["x.xml counts 1 failure of no test: see the run's output."])
        #expect(try doubts(3, "<failure/><failure/>").count == 1)
        #expect(try doubts(1, "<failure/>").isEmpty)
        #expect(try doubts(0).isEmpty)
    }

    @Test("SwiftPM's own file has no room for the warning that a process died, which is said beside it")
    func died() throws {
        let run = try CommandRun(Sample.died)
        try run.write(Array(file.utf8), to: "x.xml")
        let outcome = run("report", "r.json", "--xunit", "x.xml", "--format=junit")
        #expect(outcome.errors.contains("2 processes of this run did not end"))
    }

    @Test("SwiftPM's own file alone tells the whole run where no report is due")
    func noReport() throws {
        let run = try CommandRun()
        try run.write([], to: "Package.swift")
        try run.write(Array(swiftTesting.utf8), to: "x.xml")
        let outcome = run("report", "--allow-missing", "--xunit", "x.xml")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("2 failed of 4 tests"))
    }

    @Test("SwiftPM's own file becomes valid XML if SwiftPM has written characters that XML cannot contain")
    func illegal() throws {
        let text = """
            <testsuites>
            <testsuite name="TestResults">
            <testcase classname="ShopTests" name="red()" time="0.1">
            <failure message="\u{1B}[31m&#12;red" />
            </testcase>
            <testcase classname="ShopTests" name="off()"><skipped>\u{1B}[1mlater&#11;&#65534;</skipped></testcase>
            </testsuite>
            </testsuites>
            """
        #expect(try results(of: text).tests.map(\.hasFailed) == [true, false])
        let rules = SurefireRules(try completed(text, with: []))
        #expect(rules.violations.isEmpty)
        #expect(rules.cases[0].children[0].attributes["message"] == #"\u{1b}[31m\#u{FFFD}red"#)
        #expect(rules.cases[1].children[0].text == #"\u{1b}[1mlater\#u{FFFD}\#u{FFFD}"#)
    }

    @Test("SwiftPM's own file has the cases of a test with arguments in the one test case that it has for them")
    func cases() throws {
        var retries = [Sample.mixed.tests[4], Sample.mixed.tests[4]]
        retries[0].name = "Search/finds() [\"a/b\"]"
        retries[1].name = "Search/finds() #2"
        let children = SurefireRules(try completed(file, with: retries)).cases[3].children
        #expect(children.map(\.name) == ["flakyFailure", "flakyFailure"])
        #expect(children.first?.children.first?.text.contains("Search/finds() [\"a/b\"]: attempt 1 of 2") == true)
        #expect(try results(of: file).doubts(about: Report(tests: retries)).isEmpty)
    }

    @Test("SwiftPM's own file stays XML whatever the text holds")
    func hostile() throws {
        var retries = Sample.hostile.tests
        for index in retries.indices {
            retries[index].name = Sample.mixed.tests[index].name
            retries[index].module = Sample.mixed.tests[index].module
        }
        let rules = SurefireRules(try completed(file, with: retries))
        #expect(rules.violations.isEmpty)
        #expect(rules.cases.count == 5)
        #expect(rules.cases[0].children.map(\.name) == ["flakyFailure"])
    }

    @Test(
        "a file that is not SwiftPM's own is refused in one line",
        arguments: [
            "", "{}", "<html/>", "<testsuite>\n<testcase>", "<testsuite></testcase>", "<testsuite><!-- </testsuite>",
            "<testsuite name=x>", "<testsuite", "<", "<testsuites></testsuites><testsuites/>",
        ]
    )
    func broken(text: String) throws {
        let run = try CommandRun(Sample.mixed)
        try run.write(Array(text.utf8), to: "x.xml")
        let cause = "it is not a file of swift test --xunit-output, or not all of one"
        #expect(
            run("report", "r.json", "--xunit", "x.xml", "--format=junit", "--output", "y.xml")
                == .refuses("the report x.xml cannot be read: \(cause)")
        )
        #expect(try run.names == ["r.json", "x.xml"])
    }

    @Test("SwiftPM's own file is shown with a warning if Swift Testing's part ends early because its process died")
    func torn() throws {
        let run = try CommandRun(Sample.mixed)
        try run.write(Array("<testsuites></testsuites>".utf8), to: "x.xml")
        try run.write(Array("<?xml version=\"1.0\"?>\n<testsuites>".utf8), to: "x-swift-testing.xml")
        let shown = run("report", "r.json", "--xunit", "x.xml", "--format=markdown")
        #expect(shown.code == 0)
        #expect(shown.output.contains("x-swift-testing.xml cannot be read: it is not a file of swift test"))
        #expect(!shown.output.contains("retried test"), "its absence is no sign of another run")
        let alone = run("report", "none.json", "--allow-missing", "--xunit", "x.xml")
        #expect(alone.output.contains("x-swift-testing.xml cannot be read") && !alone.output.contains("None failed"))
        #expect(run("report", "r.json", "--xunit", "x.xml", "--format=junit").code == 2)
    }
}
