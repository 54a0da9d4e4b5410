import Foundation
import RetryReport
import TestSupport
import Testing

@testable import RetriesCommand

@Suite("retries new")
struct NewCommandTests {
    private let repository: SampleRepository

    init() async throws {
        repository = try await SampleRepository()
    }

    /// A substitute for swift: `list` names tests, and a run fails in `testEmpties` and in the second run of `ends()`.
    private static let swift = #"""
        #!/bin/bash
        all="$*"
        case "$all" in *--package-path*shop*) cd ../shop;; *--package-path*) cd ..;; esac
        if [ "$2" = list ]; then
            echo "$all" >>"$PWD/lists"
            [ -e "$PWD/many" ] && seq -f 'ShopTests.ManyTests/testThatSaysWhatItExpectsOfWhatItTests%g' 1600
            printf '%s\n' ShopTests.CartTests/testEmpties ShopTests.CartTests/testFills 'ShopTests.Search/ends()' 'ShopTests.Search/finds(_:)' \
                PayTests.CartTests/testFills 'ShopTests.same(_:)/Same.swift:1:7' 'ShopTests.same(_:)/Same.swift:1:37'
            exit
        fi
        echo "$all" >>"$PWD/runs"; env | grep '^RETRYABLE_[MF]' >>"$PWD/settings"; [ -e "$PWD/slow" ] && sleep 0.2
        [ -e "$PWD/alone" ] && [ "${all##*|*}" ] && sleep 100
        if [ -e "$PWD/dies" ]; then
            if [ -e "$PWD/always" ] || ! mkdir "$PWD/died" 2>/dev/null; then rmdir "$PWD/died" 2>/dev/null; cat "$PWD/dies"; exit 1; fi
        fi
        begin() { echo "Test Case '$1' started at 2026-03-01 09:30:00.000"; }
        code=0
        fills() {
            begin CartTests.testFills; echo "$PWD/$1.swift:1: error: CartTests.testFills : XCTAssert failed - "
            echo "Test Case 'CartTests.testFills' failed (0.1 seconds)"; exit 1
        }
        [ -e "$PWD/twins" ] && case "$all" in *PayTests*) fills Pay;; *ShopTests.CartTests/testFills*) fills Shop;; esac
        case "$all" in *PayTests.CartTests/testFills*)
            begin CartTests.testFills; echo "Test Case 'CartTests.testFills' skipped (0.1 seconds)";;
        esac
        case "$all" in *ShopTests.CartTests/testFills*)
            if [ -e "$PWD/silent" ]; then echo "[1/1] Testing ShopTests.CartTests/testFills"; else
                begin CartTests.testFills; echo "Test Case 'CartTests.testFills' passed (0.1 seconds)"
            fi;;
        esac
        case "$all" in *testEmpties*)
            if [ -e "$PWD/mute" ] && { [ -s "$PWD/mute" ] || [ -z "${all##*testFills*}" ]; }; then exit; fi
            begin CartTests.testEmpties
            if [ -e "$PWD/together" ] && [ "${all##*testFills*}" ]; then
                echo "Test Case 'CartTests.testEmpties' passed (0.1 seconds)"; exit
            fi
            code=1; [ -e "$PWD/record" ] && cp "$PWD/record" "$RETRYABLE_REPORT"
            echo "$PWD/Tests/ShopTests/CartTests.swift:6: error: CartTests.testEmpties : XCTAssert failed - "
            echo "Test Case 'CartTests.testEmpties' failed (0.1 seconds)";;
        esac
        case "$all" in *ends*)
            echo "◇ Test Search/ends() started."
            if [ -e "$PWD/skip" ]; then echo "➜ Test Search/ends() skipped."; exit 0; fi
            if ! mkdir "$PWD/first" 2>/dev/null && mkdir "$PWD/second" 2>/dev/null; then
                echo "✘ Test Search/ends() recorded an issue at $PWD/Tests/ShopTests/Search.swift:6:5: Expectation failed"
                echo "✘ Test Search/ends() failed after 0.1 seconds with 1 issue."; exit 1
            fi
            echo "✔ Test Search/ends() passed after 0.1 seconds.";;
        esac
        case "$all" in *"$(cat "$PWD/stray" 2>/dev/null || echo none)"*) echo "✘ Suite A recorded an issue: late"; code=1;; esac
        case "$all" in *same*) echo "◇ Test same(_:) started."; echo "✔ Test same(_:) with 1 test case passed after 1 s.";; esac
        [ -e "$PWD/many" ] && { sleep "$(cat "$PWD/many")"; begin ManyTests.testA; echo "Test Case 'ManyTests.testA' passed (0.1 seconds)"; }
        [ -e "$PWD/foreign" ] && { begin OtherTests.testPrinted; code=1; }
        [ -e "$PWD/wait" ] && { sleep 100 & echo $$ $! >"$PWD/pids"; mv "$PWD/pids" "$PWD/ready"; wait; }
        exit $code
        """#

    private func new(
        _ options: String = "--for 2s",
        _ command: [String] = ["swift", "test", "--skip-build", "--parallel"],
        in folder: String = "shop",
        edit: String,
        environment: [String: String] = [:],
        signal: Int32? = nil,
        // Beside all other tests, a run may take longer than the time for all.
        limit: String = "1m"
    ) async throws -> ChildRun {
        let script =
            "T=shop/Tests/ShopTests; \(edit); mkdir -p bin; printf %s \"$SWIFT\" >bin/swift; chmod +x bin/swift"
        try await repository.shell(script, environment: ["SWIFT": Self.swift])
        return try await ChildRun.of(
            Checkout.program("retries"),
            ["new", "--limit", limit] + options.split(separator: " ").map(String.init) + ["--"] + command,
            environment: ["PATH": "\(repository.folder.path)/bin:/usr/bin:/bin"].merging(environment) { $1 },
            in: repository.folder.file(folder)
        ) { [repository] process in
            guard let signal else { return }
            let pid = process.identifier
            // Not in a task, which would wait while tests that compute have the threads.
            Thread.detachNewThread {
                while !FileManager.default.fileExists(atPath: repository.folder.file("shop/ready").path) {
                    usleep(10_000)
                }
                kill(pid, signal)
            }
        }
    }

    private func lines(of name: String) throws -> [String] {
        try String(contentsOf: repository.folder.file("shop/\(name)"), encoding: .utf8).split(separator: "\n").map(
            String.init
        )
    }

    private static let editAll = "sed -i 's/ends() {}/ends() { a() }/' $T/*; sed -i 's/{}/{ a() }/' $T/CartTests.swift"

    @Test("retries new runs changed tests together, then alone, and says which are broken and which are flaky")
    func together() async throws {
        // Time enough for runs together and alone, also where the machine is busy.
        let run = try await new("--for 12s", edit: "\(Self.editAll); touch shop/slow")
        #expect(run.ending == .failure)
        #expect(run.line(0).hasPrefix("3 tests are new or changed since main ("))
        #expect(run.line(0).hasSuffix("): CartTests/testFills, CartTests/testEmpties, Search/ends()"))
        #expect(run.line(1).hasPrefix("  CartTests/testFills    passed in "))
        #expect(run.line(2).hasPrefix("  CartTests/testEmpties  is broken: it failed in "))
        #expect(run.line(3).hasPrefix("  Search/ends()          failed in 1 of "))
        #expect(run.line(3).contains(" as is, ") && run.line(3).contains(" alone"))
        #expect(run.line(4) == "CartTests/testEmpties: XCTAssert failed, at Tests/ShopTests/CartTests.swift:6")
        let command = "swift run retries repeat 20 -- swift test --skip-build --parallel"
        #expect(run.line(5) == "To reproduce it: \(command) --filter '^ShopTests.CartTests/testEmpties$'")
        #expect(run.line(6) == "Search/ends(): Expectation failed, at Tests/ShopTests/Search.swift:6")
        #expect(
            run.line(7).hasSuffix(#"-- swift test --skip-build --parallel --filter '^ShopTests.Search/ends\(\)/'"#)
        )
        #expect(try lines(of: "lists") == ["test list --skip-build"])
        let filters = try lines(of: "runs").compactMap { $0.components(separatedBy: "--filter ").last }
        let all = #"^ShopTests.CartTests/testFills$|^ShopTests.CartTests/testEmpties$|^ShopTests.Search/ends\(\)/"#
        #expect(filters.first?.hasPrefix(all) == true)
        #expect(filters.contains { $0.hasPrefix("^ShopTests.CartTests/testFills$") && !$0.contains("|") })
    }

    @Test("retries new reproduces what fails only beside other tests with all of them")
    func besideOthers() async throws {
        // Time enough for six runs alone, also where the machine is so busy that each takes half a second.
        let edit = "sed -i 's/{}/{ a() }/' $T/CartTests.swift; touch shop/together"
        let run = try await new("--for 30s", edit: edit)
        #expect(run.line(2).hasPrefix("  CartTests/testEmpties  is broken: it failed in "))
        #expect(run.line(2).hasSuffix(" alone → it depends on the other tests"))
        let command = "swift run retries repeat 20 --under with-all -- swift test --skip-build --parallel"
        #expect(run.output.contains("To reproduce it: \(command) --filter '^ShopTests.CartTests/testEmpties$'"))
    }

    @Test(
        "retries new looks for tests in the package that the command names",
        arguments: [["--package-path", "../shop"], ["--package-path=../shop/"]]
    )
    func otherPackage(option: [String]) async throws {
        let command = ["swift", "test", "--skip-build"] + option
        let edit = "mkdir tools; sed -i 's/testEmpties() {}/testEmpties() { a() }/' $T/CartTests.swift"
        let run = try await new("--for 1s --format github", command, in: "tools", edit: edit)
        #expect(run.ending == .failure)
        #expect(run.output.contains { $0.hasPrefix("::error file=shop/Tests/ShopTests/CartTests.swift,line=6") })
        let nothing = try await new("--for 1s", command, in: "tools", edit: "git -C shop checkout -q .")
        #expect(nothing.ending == .success && nothing.line(0).hasPrefix("No test is new or changed since main ("))
    }

    @Test("retries new shows the places of failures from the folder of the package that the command names")
    func placeInOtherPackage() async throws {
        let command = ["swift", "test", "--skip-build", "--package-path", ".."]
        let edit = "mkdir shop/tools; sed -i 's/testEmpties() {}/testEmpties() { a() }/' $T/CartTests.swift"
        let run = try await new("--for 1s", command, in: "shop/tools", edit: edit)
        #expect(run.output.contains { $0.contains(" Tests/ShopTests/CartTests.swift:6") }, "\(run)")
    }

    @Test("retries new has a table for a comment, annotations at the tests' lines, and JSON")
    func formats() async throws {
        let edit = "sed -i 's/testEmpties() {}/testEmpties() { a() }/' $T/CartTests.swift"
        let markdown = try await new("--for 1s --format markdown", edit: edit)
        #expect(markdown.line(0).hasPrefix("### 1 test is new or changed since main ("))
        #expect(markdown.line(3).hasPrefix("| <code>CartTests/testEmpties</code><br><code>swift run retries repeat"))
        #expect(markdown.line(3).contains(" | ❌ is broken: it failed in "))
        let github = try await new("--for 1s --format github", edit: ":")
        let title = "title=CartTests/testEmpties is broken::is broken: it failed in "
        #expect(github.line(0).hasPrefix("::error file=shop/Tests/ShopTests/CartTests.swift,line=6,\(title)"))
        #expect(github.line(1).hasPrefix("::notice title=Retryable::1 test is new or changed since main ("))
        let json = try await new("--for 1s --format json", edit: ":")
        let object = try JSONSerialization.jsonObject(with: json.outputBytes) as? [String: Any]
        let test = (object?["tests"] as? [[String: Any]])?.first
        #expect(test?["verdict"] as? String == "broken")
        #expect(((test?["runs"] as? [String: Any])?["as-is"] as? [String: Int])?["runs"] ?? 0 > 0)
    }

    @Test("retries new runs nothing if no test is new or changed, and what a merge request has if CI names its target")
    func nothing() async throws {
        let run = try await new(edit: "git rev-parse HEAD")
        #expect(run.ending == .success)
        #expect(run.output.count == 1 && run.line(0).hasPrefix("No test is new or changed since main ("))
        #expect(!FileManager.default.fileExists(atPath: repository.folder.file("shop/lists").path))
        let model = "echo 'class Model: ObservableObject { func testLink() {} }' >shop/Source/Model.swift"
        let notTest = try await new(edit: "mkdir -p shop/Source shop/Sources; \(model)")
        #expect(notTest.ending == .success && notTest.line(0).hasPrefix("No test is new"), "\(notTest)")
        let base = "echo 'class Contract: XCTestCase { func testLink() {} }' >shop/Sources/Model.swift"
        #expect(try await new(edit: base).ending == .exitCode(2))
        try await repository.shell("rm -r shop/Sources", environment: [:])
        let commit =
            "git commit -qam more; git branch -f dev; sed -i 's/testFills() {/testFills() { a();/' $T/CartTests.swift"
        let edit = "\(Self.editAll); \(commit)"
        let target = try await new("--for 1s", edit: edit, environment: ["GITHUB_BASE_REF": "dev"])
        #expect(target.line(0).hasPrefix("1 test is new or changed since dev ("))
        let since = try await new("--for 1s --since HEAD", edit: ":")
        #expect(since.line(0).hasPrefix("1 test is new or changed since HEAD ("))
        let none = try await new("--since none", edit: ":")
        #expect(
            none.errorOutput == [
                "retries: HEAD has no commit in common with none, or there is none: name another with --since"
            ]
        )
        // As in a clone of CI's.
        let fetched = "git update-ref refs/remotes/origin/main main; git branch -qD main"
        let clone = try await new("--for 1s", edit: fetched)
        #expect(clone.line(0).contains(" since origin/main ("), "\(clone)")
    }

    @Test("retries new takes a failure of a run of one test for that test's, and counts runs without a known cause")
    func unexplained() async throws {
        let edit = "sed -i 's/testFills() {/testFills() { a();/' $T/CartTests.swift"
        let alone = try await new("--for 1s", edit: "\(edit); echo testFills >shop/stray")
        #expect(alone.ending == .failure)
        #expect(alone.line(1).hasPrefix("  CartTests/testFills  is broken: it failed in "))
        #expect(alone.errorOutput.contains("  ✘ Suite A recorded an issue: late"))
        let printing = try await new("--for 1s", edit: "\(edit); rm shop/stray; touch shop/foreign")
        #expect(printing.ending == .failure)
        #expect(printing.output.last?.contains(" runs failed, and no new test is known to be the cause.") == true)
        let together =
            "rm shop/foreign; sed -i 's/ends() {}/ends() { a() }/' $T/*; echo '|' >shop/stray; mkdir shop/{first,second}"
        let run = try await new("--for 4s", edit: together)
        #expect(run.ending == .failure)
        #expect(run.line(1).hasPrefix("  CartTests/testFills  passed in "))
        #expect(run.output.last?.contains(" runs failed, and no new test is known to be the cause.") == true)
        #expect(run.errorOutput.contains("  ✘ Suite A recorded an issue: late"))
    }

    @Test(
        "retries new counts a run that ends before its first test, after runs that showed some",
        arguments: ["error: Exited with unexpected signal code 4", ""]
    )
    func early(line: String) async throws {
        let edit = "sed -i 's/testFills() {/testFills() { a();/' $T/CartTests.swift; echo '\(line)' >shop/dies"
        let run = try await new("--for 6s", edit: edit)
        #expect(run.ending == .failure, "\(run)")
        #expect(run.output.last?.hasSuffix(" failed, and no new test is known to be the cause.") == true, "\(run)")
    }

    @Test("retries new counts a crash before the first test of all")
    func crash() async throws {
        let edit = "sed -i 's/testFills() {/testFills() { a();/' $T/CartTests.swift"
        let line = "error: Exited with unexpected signal code 4"
        let run = try await new("--for 1s", edit: "\(edit); echo '\(line)' >shop/dies; touch shop/always")
        #expect(run.ending == .failure)
        #expect(run.output.last?.hasSuffix(" failed, and no new test is known to be the cause.") == true, "\(run)")
    }

    @Test("retries new takes a hang of a test that runs alone for a failure, though it shows no test until then")
    func hangsAlone() async throws {
        let edit = "touch shop/alone; sed -i 's/ends() {}/ends() { a() }/; s/testFills() {/testFills() { a();/' $T/*"
        let run = try await new("--for 12s", edit: edit, limit: "5s")
        #expect(run.ending == .failure, "\(run)")
        #expect(run.output.contains { $0.hasSuffix(" failed, and no new test is known to be the cause.") }, "\(run)")
    }

    @Test("retries new runs tests without the settings under which what a mark holds is a failure")
    func settings() async throws {
        let environment = ["RETRYABLE_MODE": "strict", "RETRYABLE_FAIL_ON_FLAKY": "1", "RETRYABLE_MAX_FLAKES": "0"]
        let edit = "sed -i 's/testFills() {/testFills() { a();/' $T/CartTests.swift"
        #expect(try await new("--for 1s", edit: edit, environment: environment).ending == .success)
        #expect(try !lines(of: "runs").isEmpty && lines(of: "settings").isEmpty)
    }

    @Test("retries new shows the failure of a test whose retries did not pass, which the report has")
    func mark() async throws {
        var record = Sample.retry("-[CartTests testEmpties]", .failed, [.flaked, .failed])
        record.attempts[1].failures = [
            Failure(message: "XCTAssert failed - ", file: "Tests/ShopTests/CartTests.swift", line: 6, kind: .assertion)
        ]
        let report = Report(run: Sample.run("1"), tests: [record])
        try Data(report.json()).write(to: repository.folder.file("shop/record"))
        let run = try await new("--for 1s", edit: "sed -i 's/testEmpties() {/testEmpties() { a();/' $T/CartTests.swift")
        #expect(run.ending == .failure)
        let line = "CartTests/testEmpties: XCTAssert failed, at Tests/ShopTests/CartTests.swift:6"
        #expect(run.output.contains(line), "\(run)")
    }

    @Test(
        "retries new calls a test broken only if it failed in each run as is, and if there was one; a flake is no failure"
    )
    func broken() {
        let samples: [(asIs: Tally, verdict: NewTestVerdict, ending: String)] = [
            (Tally(runs: 2, bad: 2), .broken, "is broken: it failed in 5 of 5 runs: 2 of 2 as is, 3 of 3 with load"),
            (Tally(), .flaky, "failed in 3 of 3 runs: not run as is, 3 of 3 with load"),
            (
                Tally(runs: 2, bad: 1, flaked: 1), .flaky,
                "failed in 3 of 5 runs: 1 of 2 (1 flaked) as is, 3 of 3 with load"
            ),
        ]
        for (asIs, verdict, ending) in samples {
            var test = NewTest(
                name: "Cart/fills()",
                file: nil,
                line: nil,
                module: "ShopTests",
                filter: "",
                outputName: "Cart/fills()",
                runs: ["as-is": asIs, "load": Tally(runs: 3, bad: 3)],
                failures: [.init(test: "Cart/fills()", message: "", isXCTest: false, isCrash: true)]
            )
            test.judge(level: 0.05, running: ["swift", "test"])
            #expect(test.verdict == verdict && test.ending == ending && test.failure == "it did not end")
        }
    }

    @Test("retries new runs tests in groups if one argument is too short for all, and says if no time was left")
    func many() async throws {
        let tests = "seq -f '    func testThatSaysWhatItExpectsOfWhatItTests%g() {}' 1600"
        let edit = "echo 1 >shop/many; { echo 'class ManyTests: T {'; \(tests); echo '}'; } >$T/ManyTests.swift"
        let run = try await new("--for 1s", edit: edit)
        #expect(run.ending == .exitCode(2), "\(run)")
        let lengths = try lines(of: "runs").map(\.utf8.count)
        #expect(!lengths.isEmpty && lengths.allSatisfy { 90_000..<101_000 ~= $0 })
        let reason = "retries: no time was left (--for) to run "
        #expect(run.errorOutput.last?.hasPrefix(reason) == true, "\(run.errorOutput)")
    }

    @Test("retries new says what did not run: a test that was skipped, which is no failure, and one that is not listed")
    func notRun() async throws {
        let unlisted = "echo 'enum More { @Test func other() {} }' >$T/More.swift"
        let edit = "touch shop/skip; sed -i 's/ends() {}/ends() { a() }/' $T/Search.swift; \(unlisted)"
        let run = try await new("--for 1s", edit: edit)
        #expect(run.ending == .success)
        #expect(run.line(1) == "  Search/ends()  was skipped")
        #expect(run.output.last == "swift test list does not name More/other(), so it did not run.")
        let other = "sed -i 's/testFills() {/testFills() { a();/' $T/CartTests.swift"
        #expect(try await new("--for 1s", edit: other).ending == .success)
        let silent = try await new("--for 1s", edit: "touch shop/silent")
        let limit = "with --parallel, the output does not tell a test that passed from one that was skipped"
        #expect(silent.output.contains("CartTests/testFills may be skipped: \(limit)."))
    }

    @Test("retries new runs alone what did not run with the others, and ends with code 2 if that does not run, either")
    func mute() async throws {
        let edit = "sed -i 's/func test.*() {/& a();/' $T/CartTests.swift"
        let never = try await new("--for 4s", edit: "\(edit); echo 1 >shop/mute")
        #expect(never.ending == .exitCode(2), "\(never)")
        #expect(never.output.contains("  CartTests/testEmpties  did not run"))
        #expect(never.errorOutput.last == "retries: 1 test did not run: CartTests/testEmpties")
        let alone = try await new("--for 8s", edit: ": >shop/mute")
        #expect(alone.ending == .failure, "\(alone)")
        #expect(alone.output.contains { $0.hasPrefix("  CartTests/testEmpties  failed in ") && $0.hasSuffix(" alone") })
    }

    @Test("retries new runs overloads, which swift test list names with their places, together")
    func overloads() async throws {
        let edit = "echo '@Test func same(_: Int) {} @Test func same(_: Bool) {}' >$T/Same.swift"
        let run = try await new("--for 1s", edit: edit)
        #expect(run.ending == .success, "\(run)")
        #expect(run.output.count == 2 && run.line(1).hasPrefix("  same(_:)  passed in "))
        #expect(try lines(of: "runs").first?.hasSuffix(#"--filter ^ShopTests.same\(_:\)/"#) == true)
    }

    @Test("retries new runs tests of one name in two targets apart, and says which of them was skipped")
    func sharedName() async throws {
        let other = "mkdir shop/Tests/PayTests; cp $T/CartTests.swift shop/Tests/PayTests"
        let run = try await new("--for 8s", edit: "\(Self.editAll); \(other)")
        let names = "PayTests.CartTests/testFills, CartTests/testEmpties, ShopTests.CartTests/testFills, Search/ends()"
        #expect(run.line(0).hasSuffix("): \(names)"))
        #expect(run.line(1) == "  PayTests.CartTests/testFills   was skipped")
        #expect(run.line(3).hasPrefix("  ShopTests.CartTests/testFills  passed in "))
        let runs = try lines(of: "runs")
        #expect(runs.contains { $0.hasSuffix("--filter ^ShopTests.CartTests/testFills$") })
        let others = #"^PayTests.CartTests/testFills$|^ShopTests.CartTests/testEmpties$|^ShopTests.Search/ends\(\)/"#
        #expect(runs.first?.contains("--filter \(others)") == true)
        let both = try await new("--for 4s", edit: "touch shop/twins")
        #expect(both.ending == .failure)
        for module in ["Pay", "Shop"] {
            #expect(both.output.contains("\(module)Tests.CartTests/testFills: XCTAssert failed, at \(module).swift:1"))
        }
    }

    @Test("tests of one name are in different groups, and a group's filter is no longer than one argument")
    func groups() {
        func groups(_ tests: (name: String, length: Int)...) -> [[Int]] {
            NewTest.groups(
                of: tests.map { name, length in
                    let filter = String(repeating: "x", count: length)
                    return NewTest(name: name, file: nil, line: nil, module: "", filter: filter, outputName: name)
                }
            )
        }
        #expect(groups() == [])
        #expect(groups(("a", 1), ("b", 1)) == [[0, 1]])
        #expect(groups(("a", 1), ("a", 1), ("b", 1), ("a", 1), ("c", 1)) == [[0, 2, 4], [1], [3]])
        #expect(groups(("a", 60_000), ("b", 60_000), ("c", 30_000), ("d", 30_000)) == [[0, 2], [1, 3]])
        #expect(groups(("a", 200_000), ("b", 1)) == [[0], [1]])
    }

    @Test("retries new says if no time was left for a test that shares its name with another")
    func sharedNameLate() async throws {
        let edit = "sed -i 's/ends() {}/ends() { a() }/; s/testFills() {/testFills() { a();/' $T/*; echo 1 >shop/many"
        let other = "mkdir shop/Tests/PayTests; echo 'class CartTests: T { func testFills() {} }' >$_/CartTests.swift"
        let run = try await new("--for 1s", edit: "\(edit); \(other)")
        #expect(run.ending == .exitCode(2), "\(run)")
        let reason = "retries: no time was left (--for) to run 1 test: ShopTests.CartTests/testFills"
        #expect(run.errorOutput.last == reason)
        // With time left, each has a run, though that of the others took all of theirs.
        #expect(try await new("--for 12s", edit: "mkdir shop/second; echo 9.5 >shop/many").ending == .success)
    }

    @Test("retries new ends with code 2 if none of the tests is there to run, as before a build")
    func notBuilt() async throws {
        let run = try await new("--for 1s", edit: "echo '@Test func other() {}' >$T/Other.swift")
        #expect(run.ending == .exitCode(2))
        let advice = "build them (other()), unless they are of another system or package"
        let reason = "retries: swift test list names none of the new or changed tests: \(advice)"
        #expect(run.errorOutput == [reason])
    }

    @Test("retries new ends with code 2 if a new test is not built, though others of its suite are")
    func builtBefore() async throws {
        let edit = "sed -i 's/ends() {}/ends() { a() }; @Test func goes() {}/' $T/Search.swift"
        let run = try await new("--for 1s", edit: edit)
        #expect(run.ending == .exitCode(2), "\(run)")
        let others = "though it names other tests of the same suite"
        let reason = "retries: swift test list does not name Search/goes(), \(others): build the tests first"
        #expect(run.errorOutput == [reason])
    }

    @Test("a test that is not listed is not built if others of its kind, suite and target are, unless it is left out")
    func isListed() {
        let listed = ["M.A/a()", "M.C/testA"].compactMap(ListedTest.init)
        let code = """
            extension A { @Test("tells #if from #else") func b() {}; func testB() {}; @available(*, unavailable) @Test func c() {} }
            #if os(macOS)
            extension A { @Test func d() {} }
            #endif
            extension A {
                @MainActor
                #if os(macOS)
                @Test
                #endif
                func f() {}
            }
            class C: T {
                func testB() {
                    #if os(macOS)
                    #endif
                }
                func testC<V>() {}
                func testD() { goes(.unavailable) }
            }
            @Test func e() {}
            struct B { @Test func b() {} }
            """
        func missing(_ file: String) -> [String] {
            let tests = SwiftDeclarationParser.declarations(in: code).filter(\.isTest)
            return tests.filter { $0.isListed(beside: listed, in: file) }.map(\.identity)
        }
        #expect(missing("Tests/M/A.swift") == ["A/b()", "C/testB", "C/testD"])
        #expect(missing("Packages/Other/Tests/M/A.swift") == [])
    }

    static let refused: [([String], String)] = [
        (["swift", "build"], "new chooses among the tests of swift test, and swift is something else"),
        (["swift", "test", "--filter", "A"], "new chooses the tests by itself: leave --filter out"),
        (["swift", "test", "--skip=A"], "new chooses the tests by itself: leave --skip=A out"),
        ([], "new needs a command to run, after -- (retries new [OPTION…] -- swift test [OPTION…])"),
    ]

    @Test("retries new refuses a command with a filter of its own, and one that is not swift test", arguments: refused)
    func refuses(command: [String], reason: String) async throws {
        let run = try await new("", command, edit: ":")
        #expect(run.ending == .exitCode(2))
        #expect(run.errorOutput == ["retries: \(reason)"])
    }

    @Test("retries new shows what is known when it is asked to end, and leaves no process")
    func interrupt() async throws {
        let run = try await new("", edit: "\(Self.editAll); touch shop/wait", signal: SIGINT)
        #expect(run.ending == .signal(SIGINT))
        #expect(run.errorOutput.last == "retries: interrupted")
        let processes = try lines(of: "ready").joined(separator: " ").split(separator: " ").compactMap { pid_t($0) }
        #expect(processes.count == 2)
        for process in processes {
            while ScriptRuns.isAlive(process) { try await Task.sleep(nanoseconds: 10_000_000) }
        }
    }

    @Test(
        "an inherited test is that of each subclass, a test's module is that of its folder or of its type, and a spec is all of its class"
    )
    func listed() {
        let listed = [
            "A.Base/testA", "A.Sub/testA", "A.SubSub/testA", "B.Base/testA", "A.Outer/Inner/`it works`()",
            "A.CartSpec/a", "A.CartSpec/b", "Shop.Cart/Fills/twice()", "B.Cart/Fills/twice()",
        ]
        let code = """
            extension Shop.Cart { struct Fills { @Test func twice() {} } }
            class A: XCTestCase { override func setUp() {} }
            class Base: XCTestCase { func testA() {} }
            struct Outer { struct Inner { @Test func `it works`() {} } }
            class CartSpec: QuickSpec { override class func spec() {} }
            """
        let all = SwiftDeclarationParser.declarations(in: code).filter { $0.key.kind != .typeHead }
        let tests = all.map { declaration in
            NewTest.all(
                of: declaration,
                in: "Tests/A/B/All.swift",
                after: "shop/",
                listed: listed.compactMap(ListedTest.init),
                subclasses: ["Base": ["Sub"], "Sub": ["SubSub"]]
            )
        }
        #expect(
            tests.map { $0.map(\.filter) } == [
                [#"^Shop.Cart/Fills/twice\(\)/"#], [],
                ["^A.Base/testA$", "^A.Sub/testA$", "^A.SubSub/testA$"], [#"^A.Outer/Inner/`it works`\(\)/"#],
                ["^A.CartSpec/a$", "^A.CartSpec/b$"],
            ]
        )
        #expect(tests[2][0].place == "shop/Tests/A/B/All.swift:3")
    }
}
