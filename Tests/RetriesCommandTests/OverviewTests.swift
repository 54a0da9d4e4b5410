import Testing

@testable import RetriesCommand
@testable import RetryReport

@Suite("What every format says")
struct OverviewTests {
    private static let forPeople: [ReportFormat] = [.text, .markdown, .html, .slack]

    private func shown(_ overview: Overview, as format: ReportFormat) throws -> String {
        let text = String(decoding: try format.bytes(of: overview, hasColor: false), as: UTF8.self)
        return text.replacing("\\/", with: "/")
    }

    @Test("people are told that it is not known when the run was", arguments: forPeople)
    func unknownAge(format: ReportFormat) throws {
        #expect(try shown(Report().overview, as: format).contains("It is not known when the run was"))
    }

    @Test("people are told that there is no report only if there is none", arguments: forPeople)
    func noReport(format: ReportFormat) throws {
        // As version 0.6.0 wrote it.
        #expect(try shown(Report().overview, as: format).contains("No test was retried"))
        #expect(try shown(Overview(nil), as: format).contains("No report: nothing was retried"))
    }

    @Test(
        "a process that died is named, on standard error where the format has no room",
        arguments: ReportFormat.allCases
    )
    func died(format: ReportFormat) throws {
        let outcome = try CommandRun(Sample.died)("report", "r.json", "--format", format.rawValue)
        let text = format == .json || format == .filter ? outcome.errors : outcome.output
        #expect(text.contains("2 processes of this run did not end"))
    }

    @Test(
        "a filter is what SwiftPM finds the test by",
        arguments: [
            ("-[LoginTests testSignsIn]", "M", "M.LoginTests/testSignsIn$"),
            ("-[LoginTests testSignsIn]", nil, "LoginTests/testSignsIn$"),
            ("Login/signsIn()", "M", #"M.Login/signsIn\(\)"#), ("signsIn()", "M", #"M.signsIn\(\)"#),
            ("A/B/pays(amount:) [1, \"a)\"]", "M", #"M.A/B/pays\(amount:\)"#),
            ("A/pays(amount:) #2", "M", #"M.A/pays\(amount:\)"#),
            ("A/`it's (odd) | [x]`()", "M", #"M.A/`it's \(odd\) \| \[x\]`\(\)"#),
        ] as [(String, String?, String)]
    )
    func filters(name: String, module: String?, expression: String) {
        let retry = TestRecord(name: name, module: module, mark: .fixable(reason: ""))
        #expect(retry.filter == expression)
        #expect(
            !Overview(nil).command(for: [retry]).dropFirst("swift test --filter '".count).dropLast().replacing(
                "'\\''",
                with: ""
            )
            .contains("'")
        )
    }

    @Test("people are told the seed that a test failed with, and what else ordered its tasks", arguments: forPeople)
    func seed(format: ReportFormat) throws {
        var report = Sample.mixed
        report.tests = [report.tests[0]]
        report.tests[0].attempts[0].taskSeed = TaskSeed(seed: 17, outsideJobs: 2)
        report.tests[0].attempts[1].taskSeed = TaskSeed(seed: 18)
        let text = try shown(report.overview, as: format)
        let command = "RETRYABLE_TASK_SEED=17 swift test --filter"
        #expect(text.replacing("\\_", with: "_").contains(command))
        #expect(text.contains("seed 17 does not decide alone: 2 jobs came from another thread"))
        #expect(!text.contains("why -- RETRYABLE"))
    }

    @Test("the command that runs a test again names its package, unless the command is called there")
    func otherPackage() throws {
        let run = try CommandRun()
        for folder in ["", "tools/"] { try run.write([], to: "\(folder)Package.swift") }
        for folder in ["reports", "tools/.build"] { try run.write(Sample.mixed, to: "\(folder)/r.json") }
        #expect(run("report", "reports/r.json").output.contains("again: swift test --filter "))
        #expect(
            run("report", "tools/.build/r.json").output.contains("again: swift test --package-path tools --filter ")
        )
        run.subfolder = "tools"
        #expect(run("report", ".build/r.json").output.contains("again: swift test --filter "))
    }

    @Test("retries of which no duration is known are not said to have taken no time")
    func unknownCost() {
        #expect(Report(tests: [Sample.mixed.tests[2]]).cost == "1 retry")
    }

    @Test("the commit, the branch and the job are named", arguments: forPeople + [.junit, .json])
    func origin(format: ReportFormat) throws {
        var report = Sample.mixed
        report.run?.origin = RunOrigin(commit: "0123456789abcdef", branch: "main", job: "https://ci.example/7")
        let text = try shown(report.overview, as: format)
        #expect(text.contains("0123456789"))
        #expect(text.contains("main"))
        #expect(text.contains("https://ci.example/7"))
    }

    @Test("a line of the source is a link where its address is known", arguments: [ReportFormat.markdown, .html])
    func links(format: ReportFormat) throws {
        var report = Sample.mixed
        report.run?.origin.sources = "https://github.com/o/r/blob/abc"
        report.tests[0].file = "Tests/Shop Tests/#1.swift"
        report.tests[1].file = "/elsewhere/a.swift"
        report.tests[3].file = "../b.swift"
        let text = try shown(report.overview, as: format).replacing("&#35;", with: "#")
        #expect(text.contains("<a href=\"https://github.com/o/r/blob/abc/Tests/ShopTests/Shop.swift#L10\">"))
        #expect(text.contains("https://github.com/o/r/blob/abc/Tests/Shop%20Tests/%231.swift#L7"))
        #expect(!text.contains("abc//") && !text.contains("abc/.."))
    }

    @Test("GitHub is given paths from the root of the repository, and people at a terminal those that they can click")
    func roots() throws {
        var report = Sample.mixed
        report.run?.origin.folder = "Packages/Shop"
        report.tests[0].file = "../Shared/./Cart.swift"
        let annotations = try shown(report.overview, as: .github)
        #expect(annotations.contains("file=Packages/Shared/Cart.swift,line=7,title=FLAKY"))
        report.run?.origin.sources = "https://github.com/o/r/blob/abc/Packages/Shop"
        let table = try shown(report.overview, as: .markdown).replacing("&#35;", with: "#")
        for file in ["Shared/Cart.swift#L7", "Shop/Tests/ShopTests/Shop.swift#L10"] {
            #expect(table.contains("https://github.com/o/r/blob/abc/Packages/\(file)\""))
        }
        #expect(annotations.contains("file=Packages/Shop/Tests/ShopTests/Shop.swift,line=10,title=FAILED"))
        #expect(annotations.contains(", at Packages/Shop/Tests/ShopTests/Shop.swift:10"))
        #expect(try shown(report.overview, as: .text).contains(", at Tests/ShopTests/Shop.swift:10"))
    }

    @Test(
        "a report that names no commit gets this process's, and another keeps its own, of whatever commit",
        arguments: [nil, "abc", "def"]
    )
    func filledOrigin(commit: String?) throws {
        var report = Sample.mixed
        report.run?.origin.commit = commit
        let run = try CommandRun(report)
        run.environment = [
            "GITHUB_ACTIONS": "true", "GITHUB_SHA": "def", "GITHUB_REF_NAME": "main", "GITHUB_REPOSITORY": "o/r",
            "GITHUB_SERVER_URL": "https://github.com", "GITHUB_RUN_ID": "7", "GITHUB_WORKSPACE": run.folder.path,
        ]
        try run.write([], to: "Packages/Shop/Package.swift")
        run.subfolder = "Packages/Shop"
        let output = run("report", "../../r.json", "--format", "json").output
        let origin = try #require(try Report(json: Array(output.utf8)).run?.origin)
        #expect(origin.commit == commit ?? "def")
        #expect(origin.sources == (commit == nil ? "https://github.com/o/r/blob/def/Packages/Shop" : nil))
        #expect(origin.folder == (commit == nil ? "Packages/Shop" : nil))
    }

    @Test("an address is nothing but a link, whatever stands in it")
    func markdownInAddress() throws {
        var report = Sample.mixed
        report.run?.origin = RunOrigin(job: "https://a)![x](https://b)")
        let text = try shown(report.overview, as: .markdown)
        #expect(text.contains("<a href=\"https://a)![x](https://b)\">the CI job</a>"))
    }

    @Test(
        "an address that is none is not a link",
        arguments: [
            "javascript:alert(1)", "https://x/\" onclick=\"x", "https://é", "https://user:password@x/",
            "https://user@x",
            "https://x/" + String(repeating: "y", count: 3000),
        ]
    )
    func noLinks(address: String) {
        var report = Sample.mixed
        report.run?.origin = RunOrigin(job: address, sources: address)
        #expect(report.overview.job == nil)
        #expect(report.overview.link(to: report.tests[0]) == nil)
    }

    @Test("one expression stands for all, and for none if there is nothing to run")
    func expression() throws {
        let run = try CommandRun()
        var report = Sample.many(2)
        report.tests.append(report.tests[0])
        try run.write(report, to: "r.json")
        #expect(
            run("report", "r.json", "--format=filter").output
                == "ShopTests.ManyTests/test10000$|ShopTests.ManyTests/test10001$\n"
        )
        try run.write(Sample.empty, to: "r.json")
        #expect(run("report", "r.json", "--format=filter").output == "^$\n")
    }
}
