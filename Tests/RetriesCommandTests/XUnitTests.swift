import RetryReport
import Testing

@testable import RetriesCommand

@Suite("SwiftPM's own file")
struct XUnitTests {
    private let file = """
        <?xml version="1.0" encoding="UTF-8"?>

        <testsuites>
        <testsuite name="TestResults" errors="0" tests="5" failures="1" time="0.165182659">
        <testcase classname="ShopTests.CartTests" name="testAdds" time="0.041951912">
        </testcase>
        <testcase classname="ShopTests.CheckoutTests" name="testPays" time="0.047720494">
        <failure message="failed"><![CDATA[</testcase>]]></failure>
        </testcase>
        <!-- <testcase classname="ShopTests.CartTests" name="testAdds"> -->
        <testcase classname="ShopTests.PlainTests" name="testCounts" time="0.030777857">
        </testcase>
        <testcase classname="ShopTests.Search" name="finds()" time="0.000241152" />
        <testcase classname="Old.OldTests" name="testOld" time='0.2'/>
        </testsuite>
        </testsuites>

        """

    @Test("is completed: what flaked has more in it, and all else is as it was")
    func completed() throws {
        let run = try CommandRun()
        try run.write(Sample.mixed, to: "r.json")
        try run.write(Array(file.utf8), to: "x.xml")
        let outcome = run("report", "r.json", "--xunit", "x.xml", "--output", "y.xml")
        #expect(outcome.code == 0)
        #expect(
            outcome.errors == "retries: 1 test that flaked x.xml does not have: ShopTests -[VideoTests testResumes]\n"
        )
        let before = SurefireRules(Array(file.utf8))
        let after = SurefireRules(try run.bytes(of: "y.xml"))
        #expect(after.violations.isEmpty)
        #expect(after.root?.children.map(\.attributes) == before.root?.children.map(\.attributes))
        #expect(after.cases.map(\.attributes) == before.cases.map(\.attributes))
        #expect(
            after.cases.map { $0.children.map(\.name) } == [
                ["flakyFailure"], ["failure", "failure", "rerunFailure", "rerunError"], [], ["flakyFailure"],
                ["flakyFailure"],
            ]
        )
        #expect(after.cases[1].children[0].attributes["message"] == "XCTAssertNotNil failed")
        #expect(after.cases[1].children[1].text == "</testcase>")
    }

    @Test("of XCTest is joined by Swift Testing's, which SwiftPM writes beside it")
    func bothFrameworks() throws {
        let run = try CommandRun()
        try run.write(Sample.mixed, to: "r.json")
        try run.write(Array(file.utf8), to: "x.xml")
        let other = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
            <testsuite name="TestResults" errors="0" tests="1" failures="1" skipped="0" time="0.1">
            <testcase classname="ShopTests" name="real()" time="0.1">
            <failure message="it really failed" />
            </testcase>
            </testsuite>
            </testsuites>
            """
        try run.write(Array(other.utf8), to: "x-swift-testing.xml")
        #expect(run("report", "r.json", "--xunit", "x.xml", "--output", "y.xml").code == 0)
        let after = SurefireRules(try run.bytes(of: "y.xml"))
        #expect(after.violations.isEmpty)
        #expect(after.cases.last?.attributes["name"] == "real()")
        #expect(after.cases.last?.children.first?.attributes["message"] == "it really failed")
        #expect(after.cases.count == SurefireRules(Array(file.utf8)).cases.count + 1)
    }

    @Test("says nothing of a failure where the report says what it was")
    func placeholder() throws {
        let run = try CommandRun()
        try run.write(Sample.mixed, to: "r.json")
        let text = file.replacing(
            "<failure message=\"failed\"><![CDATA[</testcase>]]></failure>",
            with: "<failure message=\"failure\"></failure>"
        )
        try run.write(Array(text.utf8), to: "x.xml")
        #expect(run("report", "r.json", "--xunit", "x.xml", "--output", "y.xml").code == 0)
        let after = SurefireRules(try run.bytes(of: "y.xml"))
        #expect(after.cases[1].children.map(\.name) == ["failure", "rerunFailure", "rerunError"])
    }

    @Test("stays byte for byte where nothing flaked")
    func untouched() throws {
        let completed = try XUnitFile(name: "x.xml", bytes: Array(file.utf8)).completed(with: [])
        #expect(completed.bytes == Array(file.utf8))
    }

    @Test("has what flaked in two shards twice")
    func shards() throws {
        let retries = [Sample.mixed.retries[0], Sample.mixed.retries[0]]
        let completed = try XUnitFile(name: "x.xml", bytes: Array(file.utf8)).completed(with: retries)
        #expect(SurefireRules(completed.bytes).cases[0].children.map(\.name) == ["flakyFailure", "flakyFailure"])
        #expect(completed.missing.isEmpty)
    }

    @Test("has the cases of a test with arguments in the one test case that it has for them")
    func cases() throws {
        var retries = [Sample.mixed.retries[4], Sample.mixed.retries[4]]
        retries[0].name = "Search/finds() [\"a/b\"]"
        retries[1].name = "Search/finds() #2"
        let completed = try XUnitFile(name: "x.xml", bytes: Array(file.utf8)).completed(with: retries)
        let children = SurefireRules(completed.bytes).cases[3].children
        #expect(children.map(\.name) == ["flakyFailure", "flakyFailure"])
        #expect(children.first?.children.first?.text.contains("Search/finds() [\"a/b\"]: attempt 1 of 2") == true)
        #expect(completed.missing.isEmpty)
    }

    @Test("stays XML whatever the text holds")
    func hostile() throws {
        var retries = Sample.hostile.retries
        for index in retries.indices {
            retries[index].name = Sample.mixed.retries[index].name
            retries[index].module = Sample.mixed.retries[index].module
        }
        let completed = try XUnitFile(name: "x.xml", bytes: Array(file.utf8)).completed(with: retries)
        let rules = SurefireRules(completed.bytes)
        #expect(rules.violations.isEmpty)
        #expect(rules.cases.count == 5)
        #expect(rules.cases[0].children.map(\.name) == ["flakyFailure"])
    }

    @Test(
        "is refused in one line where it is no such file",
        arguments: [
            ("{}", "there is no <testsuite> in it"),
            ("<testsuite>\n<testcase>", "it ends before </testcase>, in line 2"),
            ("<testsuite></testcase>", "</testcase> closes nothing, in line 1"),
            ("<testsuite><!-- </testsuite>", "<!-- has no -->, in line 1"),
            ("<testsuite name=x>", "expected a quoted value, in line 1"),
            ("<testsuite", "expected an attribute or >, in line 1"),
            ("<", "expected the name of an element, in line 1"),
        ]
    )
    func broken(text: String, trouble: String) throws {
        let run = try CommandRun()
        try run.write(Sample.mixed, to: "r.json")
        try run.write(Array(text.utf8), to: "x.xml")
        let outcome = run("report", "r.json", "--xunit", "x.xml", "--output", "y.xml")
        #expect(outcome.code == 2)
        #expect(
            outcome.errors == "retries: the report x.xml cannot be read: it is no file of test results: \(trouble)\n"
        )
        #expect(try run.names == ["r.json", "x.xml"])
    }
}
