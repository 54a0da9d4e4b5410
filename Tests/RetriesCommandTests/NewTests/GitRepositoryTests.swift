import Foundation
import RetryReport
import TestSupport
import Testing

@testable import RetriesCommand

/// A repository of a test's own, with a package whose tests are committed on `main`, and the branch `more`.
final class SampleRepository: Sendable {
    let folder: TemporaryFolder

    static let cart = """
        import XCTest

        class CartTests: XCTestCase {
            override func setUp() { open() }
            func testFills() { fill() }
            func testEmpties() {}
            private func fill() { put() }
            private func put() {}
        }
        """
    static let search = """
        import Testing

        @Suite struct Search {
            @Test(arguments: [1, 2])
            func finds(_ count: Int) {}
            @Test func ends() {}
        }
        """

    init() async throws {
        folder = try TemporaryFolder()
        let script = """
            git init -q -b main; git config user.name A; git config user.email a@b.c
            mkdir -p shop/Tests/ShopTests; cd shop
            touch Package.swift; printf %s "$CART" >Tests/ShopTests/CartTests.swift
            printf %s "$SEARCH" >Tests/ShopTests/Search.swift
            git add .; git commit -qm first; git checkout -qb more
            """
        try await shell(script, environment: ["CART": Self.cart, "SEARCH": Self.search])
    }

    deinit { folder.remove() }

    @discardableResult
    func shell(_ script: String, environment: [String: String] = [:]) async throws -> ChildRun {
        // The user's own settings must not matter.
        let isolation = ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"]
        let run = try await ChildRun.of(
            URL(fileURLWithPath: "/bin/bash"),
            ["-ec", script],
            environment: environment.merging(isolation) { $1 },
            in: folder.url
        )
        #expect(run.ending == .success, "\(run)")
        return run
    }

    func context(in subfolder: String = "shop") -> CommandContext {
        CommandContext(
            environment: ["PATH": "/usr/bin:/bin"],
            workingDirectory: "\(folder.path)/\(subfolder)",
            isTerminal: false,
            standardInput: { [] },
            standardOutput: { _ in },
            standardError: { _ in }
        )
    }

    /// The tests that are new or changed, with the names of their files.
    func changed(since names: [String] = ["main"], in subfolder: String = "shop") throws -> [String] {
        let repository = GitRepository(context: context(in: subfolder))
        let changes = try repository.changes(since: repository.base(of: names))
        return FileChange.changedTests(in: changes).filter(\.test.isTest).map(\.test.identity)
    }
}

@Suite("What git knows of tests")
struct GitRepositoryTests {
    static let commits: [(String, [String])] = [
        ("sed -i 's/testEmpties() {}/testEmpties() { a() }/' $T/CartTests.swift", ["CartTests/testEmpties"]),
        ("sed -i 's/put() {}/put() { a() }/' $T/CartTests.swift", ["CartTests/testFills"]),
        ("sed -i 's/{ open() }/{ close() }/' $T/CartTests.swift", ["CartTests/testFills", "CartTests/testEmpties"]),
        ("sed -i 's/@Suite/@Suite(.serialized)/' $T/Search.swift", ["Search/finds(_:)", "Search/ends()"]),
        ("sed -i 's/1, 2/1, 3/' $T/Search.swift", ["Search/finds(_:)"]),
        ("sed -i 's/ {}/\\n{ \\/\\/ }\\n}/; s/import/import Shop\\nimport/' $T/*.swift", []),
        ("git mv $T/Search.swift $T/Find.swift", []),
        ("git mv $T/Search.swift $T/Find.swift; sed -i 's/ends() {}/ends() { a() }/' $T/Find.swift", ["Search/ends()"]),
        (
            "git mv $T/CartTests.swift $T/B.swift; sed -i 's/put() {}/put() { a() }/' $T/B.swift",
            ["CartTests/testFills"]
        ),
        ("sed -i 's/Search/Find/' $T/Search.swift; mv $T/Search.swift $T/Find.swift", []),
        ("sed 1d $T/CartTests.swift >>$T/Search.swift; rm $T/CartTests.swift", []),
        ("git rm -q $T/CartTests.swift", []),
        ("sed -i '/testEmpties/d; s/ends() {}/ends() { a() }/' $T/*.swift", ["Search/ends()"]),
        ("sed -i 's/{ put() }/{ add() }\\nprivate func add() {}/' $T/*.swift", ["CartTests/testFills"]),
        (
            "sed -i 's/override/override func tearDown() {}\\noverride/' $T/*.swift",
            ["CartTests/testFills", "CartTests/testEmpties"]
        ),
        ("sed -i 's/private func put/private func add() {}\\nprivate func put/' $T/*.swift", []),
        ("echo 'class S: QuickSpec { override class func spec() { it() } }' >$T/S.swift", ["S/"]),
        ("echo 'class NewTests: XCTestCase { func testNew() {} }' >\"$T/Ä b.swift\"", ["NewTests/testNew"]),
        ("echo 'class Checkout: AppCase { func testPays() {} }' >$T/Checkout.swift", ["Checkout/testPays"]),
        ("echo 'func helper() {}' >$T/Helper.swift; echo 'class A { func test() {} }' >$T/a.txt", []),
        // What main got meanwhile is not new, even if this branch has merged it.
        (
            """
            git checkout -q main; sed -i 's/ends() {}/ends() { a() }/' $T/Search.swift; git commit -qam main
            git checkout -q more; sed -i 's/testEmpties() {}/testEmpties() { a() }/' $T/CartTests.swift
            git commit -qam more; git merge -q main -m merge
            """, ["CartTests/testEmpties"]
        ),
        (
            "git checkout -q main; sed -i 's/ends() {}/ends() { a() }/' $T/Search.swift; git commit -qam a; git checkout -q more",
            []
        ),
    ]

    @Test("the tests of a branch are those that it changed, committed or not", arguments: commits)
    func commit(script: String, tests: [String]) async throws {
        let repository = try await SampleRepository()
        let edit = "T=shop/Tests/ShopTests; \(script)"
        try await repository.shell(edit)
        #expect(try repository.changed() == tests)
        try await repository.shell("git add -A; git commit -qm more --allow-empty")
        #expect(try repository.changed() == tests)
    }

    @Test("what runs with each test of a type is known to have changed, also in a file that names no test")
    func unnamed() async throws {
        let repository = try await SampleRepository()
        let file = "shop/Tests/ShopTests/Search+Init.swift"
        let script = """
            git checkout -q main; echo 'extension Search { init() { a() } }' >\(file); git add .; git commit -qm init
            git checkout -q more; git merge -q main; sed -i 's/a()/b()/' \(file)
            """
        try await repository.shell(script)
        let git = GitRepository(context: repository.context())
        let changed = FileChange.changedTests(in: try git.changes(since: git.base(of: ["main"])))
        #expect(changed.map(\.test.identity) == ["Search/init()"])
    }

    @Test("a branch is compared with the first name that exists, at the commit where it left it")
    func base() async throws {
        let repository = try await SampleRepository()
        let git = GitRepository(context: repository.context())
        let commit = try await repository.shell("git rev-parse HEAD").line(0)
        #expect(try git.base(of: ["origin/none", "main"]).text == "main (\(commit.prefix(7)))")
        #expect(try git.base(of: [commit]).text == commit.prefix(7))
        // As in a container, whose user is not the one who cloned it.
        var context = repository.context()
        context.environment["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1"
        #expect(try GitRepository(context: context).base(of: ["main"]).text == "main (\(commit.prefix(7)))")
        #expect(git.prefix == "shop/")
        #expect(throws: Problem.self) { try git.base(of: ["--all"]) }
        let problem = "HEAD has no commit in common with none or nil, or there is none: name another with --since"
        #expect { try git.base(of: ["none", "nil"]) } throws: { "\($0)" == problem }
    }

    @Test("subclasses are found in all files, however their heads are written")
    func subclasses() async throws {
        let repository = try await SampleRepository()
        let git = GitRepository(context: repository.context())
        let settings = ["color.ui always", "grep.fullName true", "submodule.recurse true"]
        try await repository.shell(settings.map { "git config \($0)" }.joined(separator: ";"))
        #expect(git.subclasses(of: ["XCTestCase", "B"]) == ["XCTestCase": ["CartTests"]])
        let classes = """
            let a = "//"; class A<T: P>: Base<T> { class func c() {} }
            final class B: // of all
                Tests./* our
                own */`Base`
            { let b = "class X: Base" }
            typealias Common = Tests.Base
            """
        try await repository.shell("echo '\(classes)' >>shop/Tests/ShopTests/CartTests.swift")
        try await repository.shell("echo 'class C\t\n:Common {}; class D: B {}' >'shop/C 1.swift'")
        let expected = ["Base": ["A", "B", "Common"], "Common": ["C"], "B": ["D"], "XCTestCase": ["CartTests"]]
        #expect(git.subclasses(of: ["Base"]) == expected)
    }

    @Test("a clone that is too shallow names the settings of CI, and one that is not is no problem")
    func shallow() async throws {
        let repository = try await SampleRepository()
        try await repository.shell(
            """
            sed -i 's/ends() {}/ends() { a() }/' shop/Tests/ShopTests/Search.swift; git commit -qam more
            git clone -q --depth 1 -b more "file://$PWD" one; git clone -q -b more "file://$PWD" all
            """
        )
        let git = GitRepository(context: repository.context(in: "one/shop"))
        #expect { try git.base(of: ["origin/main"]) } throws: { error in
            let text = "\(error)"
            return text.contains("since origin/main:") && text.contains("fetch-depth: 0")
                && text.contains("GIT_DEPTH: 0")
        }
        #expect(try repository.changed(since: ["origin/main"], in: "all/shop") == ["Search/ends()"])
        // Here, the branch itself is what others leave.
        #expect(try repository.changed(since: ["origin/HEAD"], in: "all/shop") == [])
    }

    @Test("a folder in no repository is refused")
    func noRepository() throws {
        let run = try CommandRun()
        run.environment = ["GIT_CEILING_DIRECTORIES": "/"]
        let outcome = run("new", "--", "swift", "test")
        let words = "git does not say which tests are new in \(run.folder.path): fatal: not a git repository"
        #expect(outcome.code == 2 && outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test("the variables of CI say what it merges into")
    func targets() {
        func targets(_ environment: [String: String]) -> [String] { CIVariables(environment).targets }
        #expect(targets(["GITHUB_BASE_REF": "", "GITHUB_ACTIONS": "true"]).isEmpty)
        let others = [
            "GITHUB_BASE_REF", "CI_PULL_REQUEST_TARGET_BRANCH", "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
            "BITRISEIO_GIT_BRANCH_DEST", "CHANGE_TARGET",
        ]
        for name in others { #expect(targets([name: "dev"]) == ["origin/dev", "dev"]) }
        let gitLab = ["CI_MERGE_REQUEST_DIFF_BASE_SHA": "4f2c1ab", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"]
        #expect(targets(gitLab) == ["4f2c1ab", "origin/main", "main"])
        // HEAD is a merge then, with the newest commit of the target.
        let merged = gitLab.merging(["CI_MERGE_REQUEST_TARGET_BRANCH_SHA": "51d9b77"]) { $1 }
        #expect(targets(merged) == ["51d9b77", "origin/main", "main"])
    }
}
