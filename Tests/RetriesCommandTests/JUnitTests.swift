import RetryReport
import Testing

@testable import RetriesCommand

@Suite("JUnit")
struct JUnitTests {
    @Test("JUnit output follows Surefire's rules, whatever its text contains", arguments: Sample.named.keys)
    func rules(sample: String) throws {
        let report = try #require(Sample.named[sample])
        var rules = try SurefireRules(ReportFormat.junit.bytes(of: report.overview))
        rules.check()
        #expect(rules.violations.isEmpty)
        #expect(rules.cases.count == report.tests.count)
    }

    @Test("JUnit output preserves text, but for what XML cannot contain")
    func text() throws {
        var report = Sample.mixed
        report.tests = [report.tests[0]]
        report.tests[0].attempts[0].failures = [
            Failure(message: "a\n\t\"<&>'\r]]>\u{1}", file: nil, line: nil, kind: .assertion)
        ]
        let flaky = try #require(
            try SurefireRules(ReportFormat.junit.bytes(of: report.overview)).cases.first?.children.first
        )
        #expect(flaky.attributes["message"] == "a\n\t\"<&>'\r]]>\\u{1}")
        #expect(flaky.children.first?.text.hasPrefix("a\n\t\"<&>'\r]]>\\u{1}\n") == true)
        let file = String(decoding: try ReportFormat.junit.bytes(of: report.overview), as: UTF8.self)
        #expect(file.split(separator: "\n").allSatisfy { $0.drop { $0 == " " }.hasPrefix("<") })
    }

    @Test(
        "JUnit output names a test as SwiftPM does",
        arguments: [
            ("-[LoginTests testSignsIn]", "M.LoginTests", "testSignsIn"),
            ("-[LoginTests `test signs in`]", "M.LoginTests", "`test signs in`"),
            ("free()", "M", "free()"),
            ("Outer/Inner/deep()", "M.Outer.Inner", "deep()"),
            ("Outer/pays(amount:) [\"a/b) c\", 12] #2", "M.Outer", "pays(amount:) [\"a/b) c\", 12] #2"),
            ("Outer/`a / b (c)`()", "M.Outer", "`a / b (c)`()"),
            ("", "M", ""),
        ]
    )
    func names(test: String, suite: String, name: String) {
        #expect(JUnitName(test, module: "M") == JUnitName(suite: suite, name: name))
    }

    @Test(
        "JUnit output names the test that a case belongs to",
        arguments: [
            ("pays(amount:) [\"a) b\", 12]", "pays(amount:)"), ("deep() #2", "deep()"), ("deep()", "deep()"),
            ("`a) b`() [1]", "`a) b`()"), ("testPays", "testPays"),
        ]
    )
    func arguments(name: String, test: String) {
        #expect(JUnitName(suite: "M", name: name).withoutArguments.name == test)
    }
}
