import RetryReport
import Testing

@testable import RetriesCommand

@Suite("JUnit")
struct JUnitTests {
    @Test(
        "output keeps Surefire's rules, whatever the text holds",
        arguments: Sample.allCases
    )
    func rules(sample: Sample) {
        let report = sample.report
        let rules = SurefireRules(Format.junit.bytes(of: report, color: false))
        rules.check()
        #expect(rules.violations.isEmpty)
        #expect(rules.cases.count == report.retries.count)
    }

    @Test("tells recovered, failed and pending tests apart")
    func outcomes() throws {
        let cases = SurefireRules(Format.junit.bytes(of: Sample.mixed, color: false)).cases
        let children = cases.map { $0.children.map(\.name) }
        #expect(
            children == [
                ["flakyFailure"], ["failure", "rerunFailure", "rerunError"], ["flakyFailure"],
                ["rerunFailure", "error"], ["flakyFailure"],
            ]
        )
        #expect(
            cases.map { $0.attributes["classname"] } == [
                "ShopTests.CartTests", "ShopTests.CheckoutTests", "OldTests", "ShopTests.VideoTests",
                "ShopTests.Search",
            ]
        )
        #expect(cases.map { $0.attributes["name"] } == ["testAdds", "testPays", "testOld", "testResumes", "finds()"])
        let flaky = try #require(cases.first?.children.first)
        #expect(flaky.attributes == ["message": "XCTAssertNotNil failed", "type": "assertion"])
        #expect(flaky.children.first?.text.contains("fixable: the token arrives late") == true)
    }

    @Test("brings text back as it was, but for what XML cannot hold")
    func text() throws {
        var report = Sample.mixed
        report.retries = [report.retries[0]]
        report.retries[0].attempts[0].failures = [
            Failure(message: "a\n\t\"<&>'\r]]>\u{1}", file: nil, line: nil, kind: .assertion)
        ]
        let flaky = try #require(
            SurefireRules(Format.junit.bytes(of: report, color: false)).cases.first?.children.first
        )
        #expect(flaky.attributes["message"] == "a\n\t\"<&>'\r]]>\\u{1}")
        #expect(flaky.children.first?.text.hasPrefix("a\n\t\"<&>'\r]]>\\u{1}\n") == true)
    }
}
