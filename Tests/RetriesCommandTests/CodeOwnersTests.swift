import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("Owners")
struct CodeOwnersTests {
    /// Lines of real repositories, a file that they give an owner, and one that they do not.
    struct Row: Sendable, CustomTestStringConvertible {
        var lines: String
        var path: String
        var owners: [String]
        var other: String?
        var testDescription: String { "\(lines) owns \(path)" }

        init(_ lines: String, _ path: String, not other: String? = nil, _ owners: String...) {
            (self.lines, self.path, self.owners, self.other) = (lines, path, owners, other)
        }
    }

    static let onGitHub: [Row] = [
        // getsentry/sentry
        Row("/LICENSE.md @getsentry/owners-legal", "LICENSE.md", not: "docs/LICENSE.md", "@getsentry/owners-legal"),
        Row(
            "/src/sentry/eventstream/    @getsentry/owners-snuba",
            "src/sentry/eventstream/kafka/dispatch.py",
            not: "src/sentry/eventstream.py",
            "@getsentry/owners-snuba"
        ),
        Row(
            "/src/sentry/consumers/ @getsentry/ops @getsentry/owners-snuba",
            "src/sentry/consumers/run.py",
            not: "tests/src/sentry/consumers/run.py",
            "@getsentry/ops",
            "@getsentry/owners-snuba"
        ),
        Row("/src/sentry/utils/snql.py @getsentry/owners-snuba", "src/sentry/utils/snql.py", "@getsentry/owners-snuba"),
        Row(
            "/src/sentry/api/endpoints/auth* @getsentry/security",
            "src/sentry/api/endpoints/auth_login.py",
            not: "src/sentry/api/endpoints/relay/auth.py",
            "@getsentry/security"
        ),
        Row(
            "/src/sentry/api/endpoints/auth* @getsentry/security",
            "src/sentry/api/endpoints/auth_v2/login.py",
            not: "src/sentry/api/endpoints/oauth.py",
            "@getsentry/security"
        ),
        Row("Makefile @getsentry/dev-infra", "tools/Makefile", not: "Makefile.am", "@getsentry/dev-infra"),
        Row(".envrc @getsentry/dev-infra", ".envrc", not: "x.envrc", "@getsentry/dev-infra"),
        Row(
            "/fixtures/stubs-for-mypy @getsentry/python-typing",
            "fixtures/stubs-for-mypy/a/b.pyi",
            not: "fixtures/stubs-for-mypy2/b.pyi",
            "@getsentry/python-typing"
        ),
        Row(
            "/tests/tools/mypy_helpers @g/typing",
            "tests/tools/mypy_helpers/x.py",
            not: "tools/mypy_helpers",
            "@g/typing"
        ),
        Row("requirements*.txt @g/python", "api/requirements-dev.txt", not: "requirements/dev.txt", "@g/python"),
        Row("babel.config.* @g/js", "babel.config.ts", not: "babel.config", "@g/js"),
        Row("build-utils/ @g/js", "web/build-utils/a/b.ts", not: "build-utils", "@g/js"),
        Row("tsconfig.* @g/js", "tests/js/tsconfig.build.json", not: "my-tsconfig.json", "@g/js"),
        Row(
            "/static/app/views/monitors @g/crons",
            "static/app/views/monitors/a.tsx",
            not: "views/monitors/a.tsx",
            "@g/crons"
        ),
        Row(
            "/src/sentry/analytics/events/relocation_*.py @g/cloud",
            "src/sentry/analytics/events/relocation_created.py",
            not: "src/sentry/analytics/events/relocation_a/created.py",
            "@g/cloud"
        ),
        Row(
            "/tests/snuba/api/endpoints/* @g/visibility",
            "tests/snuba/api/endpoints/test_a.py",
            not: "tests/snuba/api/endpoints/deep/test_a.py",
            "@g/visibility"
        ),
        Row("/self-hosted @g/release", "self-hosted/a.yml", not: "a/self-hosted/a.yml", "@g/release"),
        Row(
            "/static/app/views/alerts/ @g/alerts\n/static/app/views/alerts/rules/uptime @g/crons",
            "static/app/views/alerts/rules/uptime/a.tsx",
            "@g/crons"
        ),
        Row(
            "/static/app/views/alerts/ @g/alerts\n/static/app/views/alerts/rules/uptime @g/crons",
            "static/app/views/alerts/rules/a.tsx",
            "@g/alerts"
        ),
        // Azure/azure-sdk-for-python
        Row("# Catch all\n/sdk/ @lmazuel @lirenhe", "sdk/ai/a.py", not: "common/sdk/a.py", "@lmazuel", "@lirenhe"),
        Row(
            "/sdk/communication/**/_shared/ @AikoBB",
            "sdk/communication/chat/azure/chat/_shared/a.py",
            not: "sdk/communication/chat/shared/a.py",
            "@AikoBB"
        ),
        Row(
            "/sdk/communication/**/_shared/ @AikoBB",
            "sdk/communication/_shared/a.py",
            not: "sdk/_shared/a.py",
            "@AikoBB"
        ),
        Row("/sdk/core/ @annatisch\n/sdk/core/azure-core/ @pvaneck", "sdk/core/azure-core/a.py", "@pvaneck"),
        Row(
            "/sdk/monitor/azure-mgmt-monitor    @lirenhe @msyyc",
            "sdk/monitor/azure-mgmt-monitor/a/b.py",
            "@lirenhe",
            "@msyyc"
        ),
        // elastic/kibana
        Row(
            "examples/hello_world @elastic/kibana-core",
            "examples/hello_world/public/index.ts",
            not: "x-pack/examples/hello_world/index.ts",
            "@elastic/kibana-core"
        ),
        Row(
            "oas_docs @elastic/kibana-core",
            "packages/oas_docs/a.yaml",
            not: "oas_docs2/a.yaml",
            "@elastic/kibana-core"
        ),
        Row("packages/kbn-tsconfig/base @elastic/ops", "packages/kbn-tsconfig/base/tsconfig.json", "@elastic/ops"),
        // swiftlang/swift, microsoft/vscode, eza-community/eza
        Row("* @apple/swift-branch-managers", "lib/AST/Decl.cpp", "@apple/swift-branch-managers"),
        Row("src/vscode-dts/vscode.d.ts @jrieken @mjbvz", "src/vscode-dts/vscode.d.ts", "@jrieken", "@mjbvz"),
        Row("*.nix @cafkafk", "nix/flake.nix", not: "flake.nix.lock", "@cafkafk"),
        Row("tests/* @cafkafk", "tests/a.rs", not: "tests/cmd/a.rs", "@cafkafk"),
        Row("devtools/* @cafkafk\ndevtools/deb-package.sh @gierens", "devtools/deb-package.sh", "@gierens"),
        Row("*.test.ts @tests", "a/b.test.ts", not: "a/b.ts", "@tests"),
        Row("*.ts @types", "a/b.test.ts", not: "a/b.tsx", "@types"),
        Row("Cargo.lock @cafkafk", "crates/a/Cargo.lock", not: "Cargo.lock.bak", "@cafkafk"),
        // The examples of GitHub's documentation
        Row("**/logs @octocat", "deeply/nested/logs/a.txt", not: "deeply/logs2/a.txt", "@octocat"),
        Row("**/logs @octocat", "logs/a.txt", "@octocat"),
        Row("/build/logs/ @doctocat", "build/logs/a/b.txt", not: "a/build/logs/b.txt", "@doctocat"),
        Row("apps/ @octocat", "a/b/apps/c/d.swift", not: "apps", "@octocat"),
        Row("docs/* docs@example.com", "docs/getting-started.md", not: "docs/build-app/a.md", "docs@example.com"),
        Row("/apps/ @octocat\n/apps/github", "apps/a.txt", not: "apps/github/a.txt", "@octocat"),
        Row("* @all\n*.js    @js-owner #This is an inline comment. @nobody", "a/b.js", "@js-owner"),
        // Lines that GitHub skips, or that are empty
        Row("* @all\n!*.swift @else\n*.[st]wift @range\n\n   \n*.swift team-without-at\n/", "a.swift", "@all"),
        Row("* @all\r\n/my\\ tests/ @space\r\n", "my tests/a.swift", not: nil, "@space"),
        // As editors on Windows save it
        Row("\u{FEFF}/Tests/ @first\r\n/Sources/ @second\r\n", "Tests/a.swift", not: "a/Tests/a.swift", "@first"),
    ]

    @Test("the owner of a file on GitHub is that of the last line that matches", arguments: onGitHub)
    func gitHub(row: Row) {
        let owners = CodeOwners(row.lines)
        #expect(owners.owners(of: row.path) == row.owners)
        #expect(owners.owners(of: row.path) == row.owners)  // as it is remembered
        if let other = row.other { #expect(owners.owners(of: other) == []) }
    }

    static let onGitLab: [Row] = [
        Row("* @default\n*.rb @ruby", "a/b.rb", "@ruby"),
        Row("internal/README.md @docs", "a/internal/README.md", not: "internal/README.md.old", "@docs"),
        Row("/docs/ @all\n/docs/* @root\n/docs/**/*.md @md", "docs/a/b.md", "@md"),
        Row("/docs/ @all\n/docs/* @root\n/docs/**/*.md @md", "docs/a.txt", "@root"),
        Row("/docs/ @all\n/docs/* @root\n/docs/**/*.md @md", "docs/a/b.txt", not: "a/docs/b.txt", "@all"),
        Row("/docs @file", "docs", not: "docs/a.md", "@file"),
        Row("lib/ @lib", "a/lib/b/c.rb", not: "lib", "@lib"),
        Row("\\#file.rb @pound", "#file.rb", "@pound"),
        Row("path\\ with\\ spaces/ @space", "path with spaces/a", "@space"),
        Row("*.[ch] @c", "src/a.h", not: "src/a.hh", "@c"),
        Row("LICENSE @legal janedoe@gitlab.com", "LICENSE", "@legal", "janedoe@gitlab.com"),
        Row("* @all\n[Docs][2] @docs\n*.md\n^[Ruby]\n*.rb @ruby", "a.md", "@all", "@docs"),
        Row("* @all\n[Docs][2] @docs\n*.md\n^[Ruby]\n*.rb @ruby", "a.rb", "@all", "@ruby"),
        Row("[@front][2] @docs\n*.md", "a.md", not: "a.txt", "@docs"),
        Row("[A]\n*.md @one\n[B]\n*.md @two @one\n[a] @three\nREADME.md", "README.md", "@two", "@one", "@three"),
        Row("* @all\n[Ruby]\n*.rb @ruby\n!/config/\n/config/a.rb @late", "config/a.rb", "@all"),
        Row("/docs/** @docs", "docs/a.md", not: "docs/b/a.md", "@docs"),
        Row("/docs/**/*.md @docs", "docs/b/c/a.md", "@docs"),
    ]

    @Test("the owners of a file on GitLab are those of the last line that matches in each section", arguments: onGitLab)
    func gitLab(row: Row) {
        let owners = CodeOwners(row.lines, isGitLab: true)
        #expect(owners.owners(of: row.path) == row.owners)
        if let other = row.other { #expect(owners.owners(of: other) == []) }
    }

    @Test(
        "the file is looked for where its host does",
        arguments: [
            ([".github", "", "docs"], [:], ".github"), (["", "docs"], [:], ""), (["docs"], [:], "docs"),
            ([".gitlab", "docs"], [:], "docs"), ([".gitlab"], [:], ".gitlab"),
            ([".gitlab"], ["GITHUB_ACTIONS": "true"], nil), ([".github", ".gitlab"], [:], ".github"),
            ([".github", "docs"], ["GITLAB_CI": "true"], "docs"),
            ([".github", ".gitlab", ""], ["GITLAB_CI": "true"], ""),
            ([".github", ".gitlab"], ["GITLAB_CI": "true"], ".gitlab"), ([], [:], nil),
        ] as [([String], [String: String], String?)]
    )
    func places(folders: [String], environment: [String: String], expected: String?) throws {
        let run = try CommandRun()
        for folder in folders { try run.write(Array("* @x\(folder)".utf8), to: "\(folder)/CODEOWNERS") }
        let owners = CodeOwners(in: run.folder.path, environment: environment)
        #expect(owners?.owners(of: "a.swift") == expected.map { ["@x\($0)"] })
        #expect(owners?.file == expected.map { $0.isEmpty ? "CODEOWNERS" : "\($0)/CODEOWNERS" })
    }

    @Test("ten thousand lines and a thousand files take less than half a second")
    func speed() {
        func seconds() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)  // other tests run beside this one
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let lines = (0..<10_000).map { number in
            switch number % 100 {
            case 0: "*.x\(number) @suffix"
            case 1: "**/Group\(number)/**/*.swift @deep"
            case 2: "Folder\(number)/ @folder"
            default: "/Packages/Part\(number)/Tests/ @org/team-\(number % 40)"
            }
        }
        let text = lines.joined(separator: "\n")
        let paths = (0..<1000).map { "Packages/Part\($0 * 10 + 3)/Tests/Feature\($0)/Some\($0)Tests.swift" }
        let start = seconds()
        let owners = CodeOwners(text)
        let found = paths.map(owners.owners)
        let taken = seconds() - start
        #expect(found.count { !$0.isEmpty } == 1000)
        #expect(taken < 0.5)
    }
}

@Suite("What is of an owner")
struct OwnershipTests {
    private let run: CommandRun

    /// Two tests in one package of a repository, each of another team, and one of nobody.
    init() throws {
        run = try CommandRun()
        try run.makeFolder(".git")
        try run.makeFolder("App")
        run.subfolder = "App"
        let lines = "/App/Tests/ @org/app\n/App/Tests/Shop/ @Org/Shop @ada\n/App/Tests/Old/\n"
        try run.write(Array(lines.utf8), to: ".github/CODEOWNERS")
        var report = Report(run: Sample.run("1"), marks: [])
        report.run?.origin.folder = "App"
        for (name, file) in [("shop", "Tests/Shop/A.swift"), ("app", "Tests/B.swift"), ("old", "Tests/Old/C.swift")] {
            var test = Sample.retry("-[Tests \(name)]", .recovered, [.flaked, .passed])
            test.file = file
            test.mark.reason = name
            test.mark.until = "2026-01-01"
            report.tests.append(test)
            report.marks?.append(MarkCount(test.mark, file: file, line: 7, module: "ShopTests"))
            var step = Sample.step("step of \(name)", succeeded: true)
            step.file = file
            report.steps.append(step)
        }
        try run.write(report, to: "App/r.json")
    }

    @Test("a report that names no folder is of the package that its file is in, not of the command's")
    func folderOfFile() throws {
        var report = Report(tests: [Sample.retry("-[Tests a]", .recovered, [.flaked, .passed])])
        report.run = Sample.run("1")
        report.tests[0].file = "Tests/A.swift"
        try run.write(Array("/Tests/ @org/root\n/App/ @org/app\n".utf8), to: ".github/CODEOWNERS")
        for folder in ["", "App/"] { try run.write([], to: "\(folder)Package.swift") }
        try run.write(report, to: ".build/r.json")
        #expect(run("check", "--owner", "@org/root", "../.build/r.json").code == 1)
        #expect(run("check", "--owner", "@org/app", "../.build/r.json").code == 0)
    }

    @Test("each format for people names the owners, and JSON has them", arguments: ReportFormat.allCases)
    func formats(format: ReportFormat) throws {
        let output = run("report", "r.json", "--format", format.rawValue).output
        switch format {
        case .junit, .filter: #expect(!output.contains("Org/Shop"))
        case .json: #expect(output.components(separatedBy: #""owners":["@Org/Shop","@ada"]"#).count == 3)
        case .html: #expect(output.contains("<dt>Owner</dt><dd>@Org/Shop, @ada</dd>"))
        case .markdown: #expect(output.contains("<br>owner: @\u{200B}Org/Shop, @\u{200B}ada"))
        case .text, .github, .slack: #expect(output.contains("owner: @Org/Shop, @ada"))
        }
        let read = try Report(json: Array(run("report", "r.json", "--format", "json").output.utf8))
        #expect(read.tests.map(\.owners) == [["@org/app"], [], ["@Org/Shop", "@ada"]])
    }

    @Test("history names the owners in each format", arguments: HistoryFormat.allCases)
    func history(format: HistoryFormat) {
        let output = run("history", "r.json", "--format", format.rawValue).output
        let owners = [
            HistoryFormat.text: "owner: @Org/Shop, @ada", .markdown: "<br>owner: @\u{200B}Org/Shop, @\u{200B}ada",
            .html: "<dt>Owner</dt><dd>@Org/Shop, @ada</dd>", .json: #""owners" : ["#,
        ]
        #expect(output.contains(owners[format] ?? "?"))
        #expect(run("history", "r.json", "--owner", "@ada").output.contains("SUMMARY  1 mark in 1 run"))
    }

    @Test(
        "--owner is about one owner's tests, steps and marks, in any case; none is about what nobody owns",
        arguments: [("@org/shop", "shop"), ("@ADA", "shop"), ("@org/app", "app"), ("none", "old")]
    )
    func owner(owner: String, name: String) throws {
        let report = try Report(json: Array(run("report", "r.json", "--owner", owner, "--format", "json").output.utf8))
        #expect(report.tests.map(\.mark.reason) == [name])
        #expect(report.marks?.map(\.mark.reason) == [name])
        #expect(report.steps.map(\.action) == ["step of \(name)"])
        let overdue = run("check", "r.json", "--owner", owner, "--overdue")
        #expect(
            overdue.code == 1 && overdue.output.split(separator: "\n").count == 1
                && overdue.output.contains(": \(name) (")
        )
        #expect(run("check", "r.json", "--owner", owner, "--max-flaky", "1").code == 0)
        #expect(run("check", "r.json", "--owner", owner).code == 1)
    }

    @Test("a file outside of the repository counts for every owner")
    func outside() throws {
        var test = Sample.retry("-[Tests away]", .recovered, [.flaked, .passed])
        test.file = "/builds/elsewhere/App/Tests/B.swift"
        try run.write(Report(tests: [test]), to: "App/away.json")
        for owner in ["@ada", "@org/app", "none"] {
            #expect(run("check", "away.json", "--owner", owner).code == 1)
            #expect(run("report", "away.json", "--owner", owner).output.contains("/builds/elsewhere/App/Tests/B.swift"))
        }
    }

    @Test("a process that did not end counts for every owner")
    func died() throws {
        try run.write(Sample.died, to: "App/died.json")
        #expect(run("check", "died.json", "--owner", "@ada").code == 1)
        #expect(run("check", "died.json", "--owner", "none").code == 1)
    }

    @Test(
        "an owner that CODEOWNERS does not name is refused, and so is one without it, or with tests that have no file"
    )
    func refusals() throws {
        #expect(
            run("check", "r.json", "--owner", "@org/shpo")
                == .refuses("unknown owner @org/shpo; did you mean @Org/Shop? (.github/CODEOWNERS names all)")
        )
        #expect(
            run("report", "r.json", "--owner", "none", "--xunit", "tests.xml")
                == .refuses("--xunit adds tests whose owners are not known: leave it out with --owner")
        )
        let other = try CommandRun(Sample.mixed)
        try other.makeFolder(".git")
        #expect(other("check", "r.json", "--owner", "none").errors.contains("--owner needs a CODEOWNERS, and "))
        #expect(other("report", "r.json").code == 0)
    }
}
