import Foundation
import TestSupport
import Testing

@Suite("retries repeat")
struct RepeatTests {
    private let run: ScriptRuns

    init() throws {
        run = try ScriptRuns()
    }

    @Test("retries repeat runs a command many times, each with a report and an id of its own, and shows the results")
    func repeats() async throws {
        let run = try await run("repeat 4", #"[ -e "$RETRYABLE_REPORT" ] && exit 9; report $((n == 2)); pass C.t"#)
        #expect(run.ending == .exitCode(1))
        let ids = try self.run.lines(of: "ids")
        #expect(ids.count == 4)
        // SwiftPM reads manifests anew for each environment that it has not seen.
        #expect(Set(ids).count == 1)
        #expect(run.output.contains { $0.contains("flaked in 1 of 4 runs, 25 % (4.6 % to 69.9 %)") })
        #expect(run.output.last?.hasSuffix("3 passed, 1 flaked, 0 failed, 0 died") == true)
        let counts = run.errorOutput.map { $0.prefix { $0 != "," } }
        #expect(counts == ["retries: 1 of 4", "retries: 2 of 4", "retries: 3 of 4", "retries: 4 of 4"])
    }

    /// The end of a script's runs, with texts that the results and standard error have among others.
    typealias Row = (options: String, script: String, code: Int32, output: String, errors: [String])

    private static let rows: [Row] = [
        (
            "3", "report 0", 0, "flaked in none of 3 runs (below 56.2 %)",
            ["the output shows no test, so what fails outside of sections is known by the exit code alone"]
        ),
        ("2 --under time-zone", #"[ "$TZ" = Pacific/Chatham ] || exit 9; report 0"#, 0, "2 passed", []),
        (
            "4", "report 0; case $n in 2) echo boom; exit 1;; 3) kill -SEGV $$;; esac", 1,
            "2 passed, 0 flaked, 1 failed, 1 died", ["retries: run 2 failed (exit code 1); it wrote:\n  boom\n"]
        ),
        // A run without a report ends them; nothing of those before is lost.
        (
            "5", #"[ $n = 3 ] && { echo "no space left"; exit 2; }; report 0"#, 2, "flaked in none of 2 runs",
            [
                "  no space left\nretries: run 3 of 5 left no report and ended with exit code 2; the command has to run a "
                    + "RetryableTestCase, or a test with .retryable or .flaky, and pass its environment on\n"
            ]
        ),
        (
            "5", #"echo "run $n"; report 0; [ $n = 1 ] || echo "{" >"$RETRYABLE_REPORT""#, 2, "flaked in none of 1 run",
            ["  run 2\n", "retries: the report of run 2 cannot be read: is not JSON"]
        ),
    ]

    @Test(
        "retries repeat shows its results, and the output of runs that failed, died or left no report",
        arguments: rows
    )
    func ends(row: Row) async throws {
        let run = try await run("repeat \(row.options)", row.script)
        #expect(run.ending == .exitCode(row.code))
        #expect(run.output.contains { $0.contains(row.output) })
        let errors = String(decoding: run.errorBytes, as: UTF8.self)
        #expect(row.errors.allSatisfy(errors.contains), "\(errors)")
    }

    @Test("retries repeat says that the disk is full if a run can leave no report because of that")
    func fullDisk() async throws {
        // A limit on the size of files takes the place of a full disk.
        let limited = #"trap '' XFSZ; ulimit -f 8; exec "$0" repeat 3 -- true"#
        let (bash, retries) = (URL(fileURLWithPath: "/bin/bash"), Checkout.program("retries").path)
        let run = try await ChildRun.of(bash, ["-c", limited, retries], in: run.folder.url)
        #expect(run.ending == .exitCode(2))
        #expect(run.errorOutput.count == 1)
        #expect(run.errorOutput.last?.hasSuffix(" cannot be written: File too large") == true)
    }

    @Test("retries repeat stops at the first flake if that is asked for, and shows what that run wrote")
    func untilFlake() async throws {
        let run = try await run("repeat 50 --until-flake", #"echo "this is run $n"; report $((n == 3))"#)
        #expect(run.ending == .exitCode(1))
        #expect(try self.run.lines(of: "count").count == 3)
        #expect(run.errorOutput.contains("  this is run 3"))
        #expect(!run.errorOutput.contains("  this is run 2"))
    }

    @Test("retries repeat keeps the reports, and the output of runs in which something went wrong")
    func keeps() async throws {
        let run = try await run("repeat 2 --keep kept/here", #"echo "run $n"; report $((n == 2))"#)
        #expect(run.ending == .exitCode(1))
        let kept = try FileManager.default.contentsOfDirectory(atPath: self.run.folder.file("kept/here").path).sorted()
        #expect(kept.last == "command.txt")
        let runs = kept.dropLast().map { $0.dropFirst("20260301-093000".count) }
        #expect(runs == ["-0001.json", "-0002.json", "-0002.log", "-0002.tests"])
        let history = try await self.run.retries("history kept")
        #expect(history.output.contains { $0.contains("flaked in 1 of 2 runs") })
    }

    @Test(
        "retries repeat says if a command flakes less than in the runs kept before",
        arguments: [
            (4, 0, "it is better"), (4, 3, "more runs may show that it is better"), (4, 4, "it is not better"),
            (0, 4, "it is worse"),
        ]
    )
    func than(before: Int, now: Int, words: String) async throws {
        let script = "[ $n -le $LAST ] && { fail C.t; exit 1; }; pass C.t; report 0"
        let first = try await run("repeat 4 --keep kept", script, environment: ["LAST": "\(before)"])
        #expect(first.ending == .exitCode(before > 0 ? 1 : 0))
        let second = try await run("repeat 4 --than kept", script, environment: ["LAST": "\(4 + now)"])
        #expect(second.ending == .exitCode(now == 0 ? 0 : 1))
        #expect(second.output.last?.hasPrefix("\(before) of 4 before, \(now) of 4 now: p ") == true)
        #expect(second.output.last?.hasSuffix(", \(words)") == true)
    }

    @Test("retries repeat calls nothing better if it is not known which tests failed before")
    func thanUnnamed() async throws {
        let script = "[ $n = 4 ] && { fail C.t; exit 1; }; pass C.t; report $((n < 4))"
        _ = try await run("repeat 4 --keep kept", script)
        let run = try await run("repeat 4 --than kept", script)
        #expect(run.ending == .exitCode(1))
        #expect(run.output.last?.hasSuffix(", but it is not known which tests failed in 3 runs before") == true)
    }

    @Test("retries repeat takes a failure of no test for that of the test that ran alone, and suggests no mark for it")
    func thanOfNoTest() async throws {
        let issue = "echo '✘ Test «unknown» recorded an issue at A.swift:3:4: late'"
        let script = "report 0; pass C.t; [ $n -gt 4 ] || { \(issue); exit 1; }"
        _ = try await run("repeat 4 --keep kept", script)
        let now = try await run("repeat 4 --than kept", script)
        #expect(now.output.last?.hasSuffix(", it is better") == true)
        let rare = try await run("repeat 2", "report 0; pass C.t; [ $n = 9 ] || { \(issue); exit 1; }")
        #expect(rare.output.last?.hasSuffix("1 passed, 0 flaked, 1 failed, 0 died") == true)
        #expect(!rare.output.contains { $0.contains("flaky(") })
    }

    @Test("retries repeat counts no output that it has kept as a run, whatever that begins with")
    func thanOutput() async throws {
        let script = "[ $n = 1 ] && echo '{'; report 0; [ $n -gt 3 ] || { fail C.t; exit 1; }; pass C.t"
        _ = try await run("repeat 3 --keep kept", script)
        let now = try await run("repeat 3 --than kept", script)
        #expect(now.output.last?.hasPrefix("3 of 3 before, 0 of 3 now: ") == true)
    }

    @Test("retries repeat proves no fix where a test that failed before does not run")
    func thanWithoutTest() async throws {
        let script = "[ $n -gt 5 ] && { pass C.other; exit; }; fail C.t; exit 1"
        _ = try await run("repeat 5 --keep kept", script)
        let now = try await run("repeat 5 --than kept", script)
        #expect(now.ending == .exitCode(1))
        #expect(now.output.last == "5 of 5 before, 0 of 5 now: p = 0.008, but C.t failed before and did not run now")
    }

    @Test("retries repeat counts no run as proof in which a test that failed before does not run")
    func thanNowAndThen() async throws {
        let script = "report 0; case $n in [1-5]|11) fail C.t; exit 1;; 6|12) pass C.t;; esac; pass C.other"
        _ = try await run("repeat 5 --keep kept", script)
        let now = try await run("repeat 5 --than kept", script)
        #expect(now.ending == .exitCode(1))
        let verdict = "5 of 5 before, 0 of 1 now: p = 0.17, more runs may show that it is better"
        #expect(now.output.last == verdict)
        // A bad run is not one in which it passed, too.
        let half = try await run("repeat 5 --than kept", script)
        #expect(half.output.last?.hasPrefix("5 of 5 before, 1 of 2 now: ") == true, "\(half)")
    }

    @Test(
        "retries repeat proves no fix where a test that failed before is skipped, or where the output does not tell",
        arguments: [
            ("skip C.t", "but C.t failed before and was skipped now"),
            ("[ $n = 7 ] && skip C.t || pass C.t", "but C.t failed before and was skipped now"),
            (
                "echo '[1/1] Testing M.C/t'",
                "but C.t failed before, and with --parallel, the output does not tell a test that passed from one that was skipped"
            ),
            // An attempt that flaked shows as skipped.
            ("skip C.t; echo \"Test Suite 'Retries' started\"; pass C.t", "it is better"),
            // What a test prints without a line break stands before the line of its end.
            ("begin C.t; printf ...; end C.t passed", "it is better"),
        ]
    )
    func thanSkipped(now: String, words: String) async throws {
        let script = "[ $n -gt 5 ] && { \(now); report 0; exit; }; fail C.t; exit 1"
        _ = try await run("repeat 5 --keep kept", script)
        let run = try await run("repeat 5 --than kept", script)
        #expect(run.ending == .exitCode(words == "it is better" ? 0 : 1))
        #expect(run.output.last == "5 of 5 before, 0 of 5 now: p = 0.008, \(words)")
    }

    @Test(
        "retries repeat proves no fix where two tests of one name ran, now or before",
        arguments: [(2, 1), (1, 2), (2, 2), (1, 1)]
    )
    func thanShared(before: Int, now: Int) async throws {
        let script = """
            run() { echo "◇ Test decodes() started."; echo "✘ Test decodes() $1 after 0.1 seconds."; }
            if [ $n -gt 5 ]; then [ \(now) = 2 ] && echo "➜ Test decodes() skipped."; run passed; exit 0; fi
            run failed; [ \(before) = 2 ] && run passed; echo "✘ Test decodes() recorded an issue at A.swift:1:2: late"; exit 1
            """
        _ = try await run("repeat 5 --keep kept", script)
        let run = try await run("repeat 5 --than kept", script)
        let words = "but decodes() failed before, and several tests of that name ran"
        let isProven = before == 1 && now == 1
        #expect(run.ending == (isProven ? .success : .failure))
        #expect(run.output.last == "5 of 5 before, 0 of 5 now: p = 0.008, \(isProven ? "it is better" : words)")
    }

    @Test(
        "retries repeat compares with runs of the same command under the same condition only, and keeps beside no others"
    )
    func thanOthers() async throws {
        _ = try await run("repeat 1 --under memory --keep kept", "report 0")
        for option in ["--than", "--keep"] {
            let other = try await run("repeat 1 \(option) kept", "report 0")
            #expect(other.ending == .exitCode(2))
            #expect(other.errorOutput.last?.hasPrefix("retries: kept holds runs of \"--under memory -- ") == true)
        }
        let options = "repeat 1 --keep here"
        for _ in 1...2 { #expect(try await run(options, "report 0").errorOutput.last == "retries: 1 of 1") }
        try FileManager.default.removeItem(at: run.folder.file("here/command.txt"))
        let mixed = try await run(options, "report 0")
        #expect(mixed.ending == .exitCode(2))
        let refusal = "retries: here holds reports of other runs, and these are of "
        #expect(mixed.errorOutput.first?.hasPrefix(refusal) == true)
    }

    @Test(
        "retries repeat compares no runs of other settings, but those of other seeds under task-order",
        arguments: [
            ("", "", "it is better"), ("", #", "RETRYABLE_TASK_SEED": "$n""#, "but the settings differ: RETRYABLE_"),
            (" --under task-order", #", "RETRYABLE_TASK_SEED": "$n""#, "it is better"),
        ]
    )
    func thanSettings(condition: String, more: String, words: String) async throws {
        let settings = #""RETRYABLE_RETRY_DELAY": "0"\#(more)"#.replacingOccurrences(of: "\"", with: "\\\"")
        let script = "report 0 \"\(settings)\"; [ $n -gt 5 ] && { pass C.t; exit; }; fail C.t; exit 1"
        _ = try await run("repeat 5\(condition) --keep kept", script)
        let run = try await run("repeat 5\(condition) --than kept", script)
        #expect(run.ending == (words == "it is better" ? .success : .failure))
        #expect(run.output.last?.hasPrefix("5 of 5 before, 0 of 5 now: p = 0.008, \(words)") == true)
    }

    @Test("retries repeat gives no verdict on a mark that always flakes under a condition")
    func underCondition() async throws {
        let run = try await run("repeat 10 --under memory", "report 1")
        #expect(run.output.first == "late, at A.swift:3: flaked in 10 of 10 runs, 100 % (72.3 % to 100 %)")
        #expect(run.output.count == 2)
        #expect(try await self.run("repeat 10", "report 1").output.contains { $0.contains("BROKEN") })
    }

    @Test("retries repeat judges runs of all tests by those that the filter names")
    func withAll() async throws {
        let script =
            #"case "$*" in *--filter*) pass C.t;; *) fail A.t; [ $n = 3 ] && fail C.t || pass C.t; exit 1;; esac"#
        let run = try await run("repeat 3 --under with-all", script, parameters: ["--filter", "C"])
        #expect(run.ending == .exitCode(1))
        #expect(run.output.last?.hasSuffix("2 passed, 0 flaked, 1 failed, 0 died") == true)
        #expect(run.output.contains { $0.contains("CartTests.swift:31 failed in 1 of 3 runs") })
        let silent = try await self.run("repeat 3 --under with-all", "report 0", parameters: ["--filter", "C"])
        #expect(silent.ending == .exitCode(2))
        #expect(
            silent.errorOutput.last
                == "retries: the output does not name the tests that begin, so with-all cannot be judged"
        )
        let shown = try await self.run("repeat 3 --under with-all", ScriptRuns.display, parameters: ["--filter", "C"])
        #expect(shown.ending == .exitCode(2))
        let line = "retries: the output names tests only by their display names (\"signs in\"), "
        #expect(shown.errorOutput.last == line + "so with-all cannot be judged")
        let twice = #"case "$*" in *--filter*) pass C.t;; *) pass C.t; fail C.t; exit 1;; esac"#
        let shared = try await self.run("repeat 3 --under with-all", twice, parameters: ["--filter", "C"])
        #expect(shared.ending == .exitCode(2))
        let reason = "retries: several tests of that name ran (C.t), so with-all cannot be judged"
        #expect(shared.errorOutput.last == reason)
    }

    @Test("a run of all tests shows nothing of a test to which it did not come, nor does one as is that died")
    func withAllCutOff() async throws {
        let cutOff = #"case "$*" in *--filter*) pass C.t; pass E.t;; *) pass C.t; begin D.t; kill -9 $$;; esac"#
        let run = try await run("repeat 3 --under with-all", cutOff, parameters: ["--filter", "C"])
        #expect(run.output.last?.hasSuffix("0 passed, 0 flaked, 0 failed, 3 died") == true)
        let why = try await self.run("why --conditions with-all --runs 5", cutOff, parameters: ["--filter", "C"])
        #expect(why.output.contains { $0.contains("with all  not run") }, "\(why.output)")
        for (seen, ending) in [("died", "kill -9 $$"), ("failed", "exit 1")] {
            let once = """
                case "$*" in
                *--filter*) pass C.t; mkdir \(seen) 2>/dev/null && { begin D.t; \(ending); }; pass E.t;;
                *) pass C.t; pass D.t; fail E.t; exit 1;;
                esac
                """
            let second = try await self.run("repeat 3 --under with-all", once, parameters: ["--filter", "C"])
            #expect(second.output.last?.hasSuffix("0 passed, 0 flaked, 3 failed, 0 died") == true, "\(second)")
        }
        let always = #"case "$*" in *--filter*) begin C.t; kill -9 $$;; *) pass C.t;; esac"#
        let none = try await self.run("repeat 3 --under with-all", always, parameters: ["--filter", "C"])
        #expect(none.ending == .exitCode(2))
    }

    @Test(
        "a run of all tests in which something fails that is no test's has not passed, and is not the tests' it is judged by",
        arguments: ["echo '✘ Test «unknown» recorded an issue at A.swift:3:4: late'; fail A.t", "true"]
    )
    func withAllOfNoTest(failure: String) async throws {
        let script = #"case "$*" in *--filter*) pass C.t;; *) pass C.t; pass D.t; FAILURE; exit 1;; esac"#
        let whole = script.replacing("FAILURE", with: failure)
        let run = try await run("repeat 3 --under with-all", whole, parameters: ["--filter", "C"])
        #expect(run.output.last?.hasSuffix("0 passed, 0 flaked, 3 failed, 0 died") == true)
        // Those in which C.t fails, and which count, are not like the others.
        let coin = "{ if mkdir seen 2>/dev/null; then pass C.t; else fail C.t; fi; }; pass D.t"
        let unlike = whole.replacing("*) pass C.t; pass D.t", with: "*) \(coin)")
        let why = try await self.run("why --conditions with-all --runs 5", unlike, parameters: ["--filter", "C"])
        let line = "retries: left out with-all: in run 2, something failed that is no test's"
        #expect(why.errorOutput.contains(line), "\(why.errorOutput)")
        #expect(!why.output.contains { $0.contains("with all") })
    }

    @Test("a run that XCTest does not end has died, whatever its exit code", arguments: [0, 1])
    func cutOff(code: Int) async throws {
        let suite = #"suite() { echo "Test Suite '$1 tests' $2 at 9:30"; }"#
        let first = "\(suite); suite All started; pass C.t; printf Bye; suite All passed"
        let whole = try await run("repeat 2", first)
        #expect(whole.output.last?.hasSuffix("2 passed, 0 flaked, 0 failed, 0 died") == true, "\(whole)")
        let second = "\(first); suite Selected started; pass D.t; exit \(code)"
        let run = try await run("repeat 2", second)
        #expect(run.output.last?.hasSuffix("0 passed, 0 flaked, 0 failed, 2 died") == true, "\(run)")
    }

    #if os(Linux)
        @Test("retries repeat loads the machine as long as the command runs")
        func load() async throws {
            let script = """
                read -r children </proc/$$/task/$$/children; echo $children >ready; report 0
                """
            #expect(try await run("repeat 1 --under load", script).ending == .success)
            #expect(try await run.processesEnd() == ProcessInfo.processInfo.activeProcessorCount * 2)
        }
    #endif

    @Test("retries repeat ends a run after its limit, counts it as died, and goes on")
    func limit() async throws {
        let run = try await run("repeat 3 --limit 1s", "begin C.t; [ $n = 2 ] && sleep 200; end C.t passed")
        #expect(run.ending == .exitCode(1))
        #expect(run.output.contains { $0.hasPrefix("C.t did not end in 1 of 3 runs") })
        #expect(run.output.last?.hasSuffix("2 passed, 0 flaked, 0 failed, 1 died") == true)
        #expect(run.errorOutput.contains { $0.hasPrefix("retries: run 2 took longer than 1 s and was ended") })
    }

    @Test("retries repeat does not end a run that waits until another swift build or swift test has ended")
    func waits() async throws {
        let line =
            "Another instance of SwiftPM (PID: 7) is already running using '/shop/.build', waiting until that process has"
        let run = try await run("repeat 1 --limit 1s", "echo \"\(line) finished execution...\"; sleep 1.5; pass C.t")
        #expect(run.ending == .success, "\(run)")
    }

    @Test("retries repeat refuses a run that wrote its report elsewhere, because its command passes no environment on")
    func reportElsewhere() async throws {
        let script = #"pass C.t; [ $n = 2 ] && echo "Retryable: report: .build/retryable-retries.json"; true"#
        let run = try await run("repeat 3", script)
        #expect(run.ending == .exitCode(2))
        let reason = "it wrote .build/retryable-retries.json: the command has to pass RETRYABLE_REPORT and "
        #expect(run.errorOutput.last?.contains(reason + "RETRYABLE_RUN_ID on to the tests") == true)
        let parallel = try await self.run("repeat 3", "echo '[1/1] Testing M.C/t'")
        #expect(parallel.ending == .success)
        let line = "flakes are seen only if the command passes RETRYABLE_REPORT and RETRYABLE_RUN_ID on to the tests"
        #expect(parallel.errorOutput.first?.hasSuffix(line) == true)
    }

    @Test("retries repeat suggests no mark for what failed in a section of a strict run, which has no record of it")
    func strictMarks() async throws {
        let script = #"""
            [ $n = 2 ] || { report 0; pass C.t; exit; }
            report 1; sed -i 's/"retry"/"strict"/' "$RETRYABLE_REPORT"; fail C.t; exit 1
            """#
        let run = try await run("repeat 3", script)
        #expect(run.output.last?.hasSuffix("2 passed, 1 flaked, 0 failed, 0 died") == true)
        #expect(!run.output.contains { $0.contains("CartTests.swift:31") }, "\(run.output)")
    }

    @Test("retries repeat leaves a command as it is that runs swift test where its files are not")
    func inContainer() async throws {
        let docker = """
            #!/bin/sh
            echo "$*" >arguments; echo "Test Case 'C.t' started at"; echo "Test Case 'C.t' passed (0.1 seconds)"
            """
        let write = #"printf %s "$0" >docker; chmod +x docker; "$1" repeat 1 -- ./docker run swift:6.3 swift test"#
        let run = try await ChildRun.of(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", write, docker, Checkout.program("retries").path],
            in: self.run.folder.url
        )
        #expect(run.ending == .success)
        #expect(try self.run.lines(of: "arguments") == ["run swift:6.3 swift test"])
    }

    @Test("retries repeat names all settings as xcodebuild passes them on, too")
    func xcodebuild() async throws {
        let script = #"""
            report 0
            [ "$TEST_RUNNER_RETRYABLE_REPORT $TEST_RUNNER_RETRYABLE_MODE" = "$RETRYABLE_REPORT strict" ]
            """#
        let environment = ["RETRYABLE_MODE": "strict", "TEST_RUNNER_RETRYABLE_REPORT": "mine"]
        let run = try await run("repeat 1", script, environment: environment)
        #expect(run.ending == .success, "\(run.output) \(run.errorOutput)")
    }

    @Test("retries repeat has retries wait for no quiet machine")
    func quiet() async throws {
        let script = "report 0; [ \"$RETRYABLE_RETRY_DELAY\" = 0 ]"
        #expect(try await run("repeat 1", script, environment: ["RETRYABLE_RETRY_DELAY": "3"]).ending == .success)
    }

    @Test("retries repeat asks for three backtraces of a test that runs alone", arguments: [true, false])
    func backtraces(isPlaced: Bool) async throws {
        let script = #"""
            begin C.t; [ $n = 1 ] && { end C.t passed; exit; }
            if [ "$SWIFT_BACKTRACE" != enable=no ]; then
                echo x >>traces; echo "*** Program crashed: Aborted at 0x7d45 ***"; printf 'Thread 0 crashed:\n\n'
                \#(isPlaced ? "" : "#") echo "  1 [ra] 0x1 C.t() + 1 in x at $PWD/C.swift:7:1"
            fi
            kill -ABRT $$
            """#
        let run = try await run("repeat 5", script)
        #expect(try self.run.lines(of: "traces").count == 3)
        let place = isPlaced ? "C.swift:7" : "C.t"
        #expect(run.output.contains { $0.contains("\(place) crashed in 4 of 5 runs") && $0.hasSuffix(": Aborted") })
    }

    @Test("retries repeat asks for backtraces short enough to show a crash's reason, unless the user asks for others")
    func shortBacktraces() async throws {
        let script = #"echo "$SWIFT_BACKTRACE" >>traces; pass C.t"#
        _ = try await run("repeat 1", script)
        _ = try await run("repeat 1", script, environment: ["SWIFT_BACKTRACE": "limit=3"])
        let traces = try self.run.lines(of: "traces")
        #expect(traces == ["registers=none,images=none,threads=crashed,limit=16,top=0", "limit=3"])
    }

    @Test("retries repeat counts a crash before the first test, also in its first run")
    func early() async throws {
        let script = "[ $n = 2 ] && { pass C.t; exit; }; echo 'error: Exited with unexpected signal code 4'; exit 1"
        let run = try await run("repeat 3", script)
        #expect(run.ending == .exitCode(1))
        #expect(run.output.contains { $0.hasSuffix(": 1 passed, 0 flaked, 2 failed, 0 died") }, "\(run)")
    }

    @Test("retries repeat goes on asking for backtraces where only they tell which of several tests crashed")
    func backtracesOfSeveral() async throws {
        let script = #"""
            echo "◇ Test a() started."; echo "◇ Test b() started."
            echo "*** Program crashed: Aborted at 0x7d45 ***"; printf 'Thread 0 crashed:\n\n'
            [ "$SWIFT_BACKTRACE" = enable=no ] || echo "  1 [ra] 0x1 b() + 1 in x at $PWD/C.swift:$((n % 2)):1"
            kill -ABRT $$
            """#
        let run = try await run("repeat 4", script)
        for line in 0...1 { #expect(run.output.contains { $0.contains("C.swift:\(line) crashed in 2 of 4 runs") }) }
    }

    @Test("retries repeat goes on asking for backtraces where only they tell that an earlier test's task crashed")
    func backtracesOfTasks() async throws {
        let script = #"""
            echo "$SWIFT_BACKTRACE" >>traces
            echo "◇ Test A/a() started."
            [ $n = 2 ] || { echo "✔ Test A/a() passed after 0.1 seconds."; echo "◇ Test A/b() started."; }
            [ $n = 1 ] && { echo "✔ Test A/b() passed after 0.1 seconds."; exit; }
            printf 'Thread 0 crashed:\n\n'
            [ "$SWIFT_BACKTRACE" = enable=no ] || echo "  1 [ra] 0x1 closure #1 in A.a() + 1 in x at $PWD/C.swift:3:1"
            kill -ABRT $$
            """#
        let run = try await run("repeat 5", script)
        #expect(run.output.contains { $0.contains("C.swift:3 crashed in 4 of 5 runs") }, "\(run)")
        #expect(run.output.contains { $0.contains("let A/a() wait for the task or thread that crashes") })
        #expect(try self.run.lines(of: "traces").count { $0 != "enable=no" } == 5)
    }

    @Test("retries repeat judges tests without a report by their output, and suggests marks for them")
    func plainTests() async throws {
        let run = try await run("repeat 3", "[ $n = 2 ] && { fail C.t; exit 1; }; pass C.t")
        #expect(run.ending == .exitCode(1))
        let sentence =
            #"CartTests.swift:31 failed in 1 of 3 runs (6.2 % to 79.2 %): XCTAssertEqual failed: ("2") is not"#
        #expect(run.output.contains { $0.contains(sentence) })
        #expect(run.output.last?.hasSuffix("2 passed, 0 flaked, 1 failed, 0 died") == true)
    }

    @Test("retries repeat knows a place behind what a test prints without a line break")
    func unbrokenLine() async throws {
        let script = """
            [ $n = 1 ] && { pass C.t; exit; }
            begin C.t; printf 0$n; echo "$PWD/Tests/C.swift:3: error: C.t : late - "; end C.t failed; exit 1
            """
        let run = try await run("repeat 3", script)
        #expect(run.output.contains { $0.hasPrefix("Tests/C.swift:3 failed in 2 of 3 runs") }, "\(run)")
    }

    /// A substitute for swift that writes events, of which those of the first run have a failure.
    private static let eventful = #"""
        #!/bin/bash
        echo "$*" >arguments
        file=$(echo "$*" | sed -E 's/^test --event-stream-output-path ([^ ]*).*/\1/')
        test='"testID":"M.A/t()/A.swift:1:2"'
        echo "{\"payload\":{\"kind\":\"testStarted\",$test}}" >"$file"
        echo "{\"payload\":{\"kind\":\"issueRecorded\",$test,\"issue\":{\"sourceLocation\":{\"filePath\":\"/A.swift\",\"line\":7}}}}" >>"$file"
        [ -e once ] || { touch once; exit 1; }
        echo "{\"payload\":{\"kind\":\"testStarted\",$test}}" >"$file"
        """#

    @Test("retries repeat reads Swift Testing's events, and leaves their version to the toolchain")
    func events() async throws {
        let outcome = try await run.swiftTest("repeat 2", swift: Self.eventful)
        #expect(outcome.output.contains { $0.hasPrefix("/A.swift:7 failed in 1 of 2 runs") })
        let arguments = try #require(try run.lines(of: "arguments").first)
        #expect(arguments.hasPrefix("test --event-stream-output-path ") && !arguments.contains("version"))
    }

    @Test(
        "retries repeat names its file of events before that of the command, as the first is written",
        arguments: [" ", "="]
    )
    func ownEvents(separator: String) async throws {
        let option = "--event-stream-output-path\(separator)own".split(separator: " ").map(String.init)
        let outcome = try await run.swiftTest("repeat 2", option, swift: Self.eventful)
        #expect(outcome.output.contains { $0.hasPrefix("/A.swift:7 failed in 1 of 2 runs") })
        #expect(try run.lines(of: "arguments").first?.hasSuffix("/events \(option.joined(separator: " "))") == true)
    }

    @Test("retries repeat has its results as Markdown and as JSON, too")
    func formats() async throws {
        let script = "report 0; [ $((n % 4)) = 2 ] && { fail C.t; exit 1; }; pass C.t"
        let markdown = try await run("repeat 4 --keep kept --format markdown", script).output
        #expect(markdown.first == "### 1 mark in 4 runs: 1 new")
        #expect(markdown.contains { $0.hasPrefix("- Tests/CartTests.swift:31 failed in 1 of 4 runs") })
        #expect(markdown.last?.hasSuffix(": 3 passed, 0 flaked, 1 failed, 0 died") == true)
        let json = try await run("repeat 4 --than kept --format json", script).outputBytes
        let document = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let conditions = document["conditions"] as? [[String: Any]]
        #expect(conditions?.map { "\($0["name"] ?? "") \($0["bad"] ?? "") \($0["runs"] ?? "")" } == ["as-is 1 4"])
        #expect(document["before"] as? [String: Int] == ["bad": 1, "runs": 4])
        #expect(document["outcomes"] as? [String: Int] == ["failed": 1, "passed": 3])
        #expect((document["marks"] as? [[String: Any]])?.map { $0["place"] as? String } == ["Tests/CartTests.swift:31"])
        #expect(((document["history"] as? [String: Any])?["runs"] as? [Any])?.count == 4)
    }

    @Test(
        "retries repeat says what is wrong with its arguments",
        arguments: [
            "", "0 -- true", "many -- true", "3", "3 4 -- true", "3 true", "-- true", "3 --for 9 -- true",
            "3 --under water -- true", "3 --under with-all -- true", "3 --than nowhere -- true", "3 --than . -- true",
            "3 --format html -- true",
        ]
    )
    func usage(arguments: String) throws {
        let outcome = try CommandRun()(["repeat"] + arguments.split(separator: " ").map(String.init))
        #expect(outcome.code == 2)
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    // MARK: - Ends

    /// Goes on for minutes in the second run, with a child that does not hear of Ctrl-C and one in a group of its own.
    private static let long = """
        report 0
        [ $n = 1 ] && exit
        set -m
        (trap '' INT TERM; sleep 200) &
        echo $$ $! >pids; mv pids ready
        sleep 200
        """

    @Test(
        "a signal ends retries repeat with all processes that it has started, after the results so far",
        arguments: [SIGINT, SIGTERM, SIGHUP]
    )
    func interrupt(signal: Int32) async throws {
        let run = try await run("repeat 2", Self.long, signal: signal)
        #expect(run.ending == .signal(signal))
        #expect(run.output.contains { $0.contains("flaked in none of 1 run") })
        #expect(run.errorOutput.last == "retries: interrupted")
        #expect(try await self.run.processesEnd() == 2)
    }

    @Test(
        "a signal that is ignored where retries repeat begins stays ignored",
        arguments: ["HUP", "INT", "TERM"]
    )
    func ignored(name: String) async throws {
        let shell = #"trap '' \#(name); "$0" repeat 2 -- bash -c "$SCRIPT""#
        let run = try await run.shell(shell, running: "kill -\(name) $PPID; sleep 0.2; report 0")
        #expect(run.ending == .success)
        #expect(run.output.contains { $0.contains("2 passed") })
        #expect(!run.errorOutput.contains("retries: interrupted"))
    }

    @Test("retries repeat ends what a run has left running before the next run begins")
    func leftovers() async throws {
        let script =
            #"[ $n = 2 ] && kill -0 $(cat left) 2>/dev/null && echo alive; sleep 100 & echo $! >left; report 0"#
        let run = try await run("repeat 2 --until-flake", script)
        #expect(run.ending == .success)
        #expect(!run.errorOutput.contains { $0.contains("alive") })
    }
}
