import Foundation
import TestSupport
import Testing

@testable import RetriesCommand

@Suite("retries why")
struct WhyTests {
    private static let hasProcessors = Condition.oneCore.arguments([]) != nil

    private let run: ScriptRuns

    init() throws {
        run = try ScriptRuns()
    }

    @Test(
        "retries why names the condition under which tests fail, a command that reproduces it, and the mark that contains it"
    )
    func more() async throws {
        let script = "[ \"$TZ\" ] && { fail C.t; exit 1; }; pass C.t"
        let run = try await run("why --conditions memory,time-zone --runs 10", script)
        #expect(run.ending == .success)
        #expect(
            run.line(0).hasPrefix("  as is      0 of ") && run.line(0).contains("  runs failed or flaked (0 % to ")
        )
        #expect(run.line(1) == "  time zone  10 of 10  p < 0.001")
        #expect(run.line(3) == "It depends on the time zone: it failed in each run in Pacific/Chatham.")
        #expect(run.line(5).hasPrefix("  swift run retries repeat 20 --under time-zone -- /bin/bash -c '"))
        let place = "Tests/CartTests.swift:31 failed in 10 of 28 runs (20.7 % to 54.2 %): XCTAssertEqual failed: (\""
        #expect(run.output.contains { $0.contains(place) })
        let mark = #"put it into flaky(.fixable(reason: "…", matching: "XCTAssertEqual failed:")) { … }"#
        #expect(run.output.contains { $0.hasSuffix(mark) })
        #expect(Set(try self.run.lines(of: "ids")).count == 1)
    }

    @Test("retries why names the condition under which tests no longer fail, for any program")
    func fewer() async throws {
        let script = "[ \"$SWIFT_DETERMINISTIC_HASHING\" ] || { fail C.t; exit 1; }; pass C.t"
        let run = try await run("why --conditions fixed-hashes,time-zone --runs 5 --format json", script)
        let document = try JSONDecoder().decode(Document.self, from: run.outputBytes)
        #expect(document.causes == ["fixed-hashes"])
        #expect(document.command?.contains("--under fixed-hashes") == true)
        let rows = document.conditions.map { "\($0.name) \($0.bad) \($0.runs) \($0.p ?? -1 < 0.01)" }
        #expect(rows == ["as-is 5 5 true", "time-zone 5 5 false", "fixed-hashes 0 5 true"])
        #expect(document.marks.map(\.bad) == [10])
    }

    private struct Document: Decodable {
        var conditions: [Condition]
        var causes: [String]
        var command: String?
        var marks: [Mark]

        struct Condition: Decodable {
            var name: String
            var runs, bad: Int
            var p: Double?
        }

        struct Mark: Decodable {
            var bad: Int
        }
    }

    @Test("retries why counts a run that ends before its first test under a condition under which others showed some")
    func early() async throws {
        let script = #"""
            seed=$RETRYABLE_TASK_SEED; case "$seed" in *[2468]) exit 1 ;; esac
            report 0 "\"RETRYABLE_TASK_SEED\": \"$seed\""; pass C.t
            """#
        let run = try await run("why --conditions task-order --runs 8", script)
        #expect(run.output.contains { $0.hasPrefix("  task order  4 of 8") }, "\(run)")
        #expect(!run.errorOutput.contains { $0.contains("left out") })
    }

    @Test("retries why counts a crash before the first test under a condition, and no failure without a crash")
    func crash() async throws {
        let script = """
            [ "$TZ" ] && { echo 'error: Exited with unexpected signal code 4'; exit 1; }
            [ "$MALLOC_PERTURB_" ] && { echo 'cannot be had'; exit 1; }
            pass C.t
            """
        let run = try await run("why --conditions time-zone,memory --runs 10", script)
        #expect(run.output.contains { $0.hasPrefix("  time zone  10 of 10") }, "\(run)")
        #expect(run.output.contains { $0.hasPrefix("It depends on the time zone") })
        #expect(run.errorOutput.contains { $0.contains("left out memory, under which no test ran: cannot be had") })
        #expect(run.errorOutput.count { $0.contains("left out") } == 1)
    }

    @Test("retries why tries one order of tasks after another, and names a seed with which tests fail each time")
    func taskOrder() async throws {
        // Seed 3 fails once, and then no more.
        let script = #"""
            report 0; seed=$RETRYABLE_TASK_SEED; echo "$seed" >>seeds
            [ "$seed" ] && sed -i "s/\"settings\": {}/\"settings\": {\"RETRYABLE_TASK_SEED\": \"$seed\"}/" "$RETRYABLE_REPORT"
            case "$seed" in 3) [ -e again ] || { touch again; fail C.t; exit 1; } ;; *[579]) fail C.t; exit 1 ;; esac
            pass C.t
            """#
        let run = try await run("why --conditions task-order --runs 40", script)
        #expect(run.output.contains { $0.hasPrefix("It depends on the order of tasks: it failed with ") })
        #expect(run.output.contains { $0.hasPrefix("  RETRYABLE_TASK_SEED=5 /bin/bash -c ") }, "\(run.output)")
        let seeds = try self.run.lines(of: "seeds").filter { !$0.isEmpty }
        #expect(seeds.starts(with: ["1", "2", "3", "4", "5"]))
        #expect(seeds.suffix(4) == ["3", "5", "5", "5"])
    }

    @Test("retries why leaves out the order of tasks where no retryable test runs; such a run is one as is")
    func noTaskOrder() async throws {
        let script = #"report 0; [ "$RETRYABLE_TASK_SEED" ] && { fail C.t; exit 1; }; pass C.t"#
        let run = try await run("why --conditions task-order,memory --runs 2", script)
        #expect(run.line(0).hasPrefix("  as is   1 of 2 "), "\(run)")
        let reason = "the report names no seed, as no test that ran is retryable"
        #expect(run.errorOutput.contains { $0.contains("left out task-order: \(reason)") })
        #expect(!run.output.contains { $0.contains("task order") })
    }

    @Test("retries why takes no test for sound that was skipped, and says so")
    func skipped() async throws {
        let script = """
            [ "$TZ" ] && { skip C.t; exit; }; [ "$MALLOC_PERTURB_" ] && { fail D.t; pass C.t; exit 1; }
            pass D.t; fail C.t; exit 1
            """
        let run = try await run("why --conditions time-zone,memory --runs 10", script)
        #expect(run.output.contains("C.t was skipped in Pacific/Chatham, which proves nothing."))
        #expect(run.output.contains { $0.hasPrefix("No condition makes a difference that 10 runs show.") })
        #expect(!run.output.contains { $0.contains("did not fail") || $0.contains("It depends on the time zone") })
    }

    @Test(
        "retries why and repeat end with 2 if all tests were skipped in all runs, and claim nothing of them",
        arguments: ["why --conditions memory --runs 40", "repeat 3"]
    )
    func allSkipped(command: String) async throws {
        let run = try await run(command, "skip C.t; skip D.t")
        #expect(run.ending == .exitCode(2))
        #expect(run.errorOutput.last == "retries: no test ran: skipped in each run: C.t, D.t")
        #expect(!run.output.contains { $0.contains("it fails in less than") })
        let again = try await self.run(command, "[ $n = 85 ] && pass D.t || skip D.t; skip C.t")
        #expect(again.ending == .exitCode(command.hasPrefix("why") ? 0 : 2))
    }

    @Test("retries why says that the output of swift test --parallel does not tell which tests were skipped")
    func parallel() async throws {
        let script = "echo '[1/1] Testing M.C/t'; [ \"$TZ\" ] || { fail C.t; exit 1; }"
        let run = try await run("why --conditions time-zone --runs 10", script)
        let sentence = "With --parallel, the output does not tell a test that passed from one that was skipped."
        #expect(run.output.contains(sentence))
        #expect(!run.output.contains { $0.contains("It depends on the time zone") })
    }

    @Test("retries why says how rare a cause may still be if it finds none")
    func nothing() async throws {
        let run = try await run("why --conditions load,memory --runs 3", "pass C.t")
        #expect(run.output.last == "No condition makes a difference that 3 runs show.")
        #expect(run.errorOutput.last == "retries: 9 of 9")
        let more = try await self.run("why --conditions memory --runs 40", "pass C.t")
        let sentence =
            "No condition makes a difference that 40 runs show: under each it fails in less than 8.8 % of the runs."
        #expect(more.output.last == sentence)
    }

    @Test("retries why says that no run passed, under no condition")
    func always() async throws {
        let run = try await run("why --conditions memory --runs 4", "fail C.t; exit 1")
        let sentence = "difference that 4 runs show: it failed or flaked in each, as under each condition."
        #expect(run.output.contains { $0.hasSuffix(sentence) })
    }

    @Test("retries why says a cause once, and then only what else shows it", .enabled(if: Self.hasProcessors))
    func causes() async throws {
        // The processes of the load are this one's siblings, so a busy machine is not what is asked for here.
        let script = #"""
            read -r children </proc/$$/task/$$/children
            while read -r name value; do [ "$name" = Cpus_allowed_list: ] && allowed=$value; done </proc/self/status
            case $allowed in *[,-]*) allowed=several;; *) allowed=one;; esac
            [ "$children" ] || [ "$allowed" = one ] && { pass C.t; exit; }; fail C.t; exit 1
            """#
        let run = try await run("why --conditions load,one-core --runs 10", script)
        let race = "It fails only if things happen fast, as when two threads race: it did not fail in"
        #expect(run.output.filter { $0.contains("did not fail in") }.count == 2, "\(run.output)")
        #expect(run.output.filter { $0.hasPrefix(race) }.count == 1)
        #expect(run.output.contains { $0.hasPrefix("It did not fail in ") && $0.hasSuffix("on one processor.") })
    }

    @Test("retries why says causes before what is no cause", .enabled(if: Self.hasProcessors))
    func causesFirst() async throws {
        let script = #"""
            while read -r name value; do [ "$name" = Cpus_allowed_list: ] && allowed=$value; done </proc/self/status
            case $allowed in *[,-]*) allowed=several;; *) allowed=one;; esac
            [ "$RETRIES_DELAYS" ] && touch "${RETRIES_DELAYS##*,}" && { pass C.t; exit; }
            [ "$allowed" = one ] && [ $((n % 2)) = 0 ] && { pass C.t; exit; }
            fail C.t; exit 1
            """#
        let run = try await run("why --conditions delays,one-core --runs 20", script)
        let sentences = run.output.filter { $0.contains("it fails less often") || $0.hasPrefix("It did not fail in ") }
        #expect(
            sentences.map { $0.hasPrefix("It fails only if things happen fast, ") } == [true, false],
            "\(run.output)"
        )
    }

    @Test("retries why gives each run a home of its own, which is one folder, and leaves none behind")
    func home() async throws {
        let script = """
            [ "$HOME" = "$CFFIXED_USER_HOME" ] && echo "$HOME" >>homes
            if [ -e "$HOME/.seen" ] || [ -e "$TMPDIR/seen" ]; then fail C.t; exit 1; fi
            pass C.t; touch "$HOME/.seen" "$TMPDIR/seen"
            """
        let environment = ["HOME": run.folder.path, "TMPDIR": run.folder.path]
        let run = try await run("why --conditions fresh-home --runs 5", script, environment: environment)
        #expect(
            run.output.contains {
                $0.hasPrefix("It depends on what is in the home or temporary folder: it did not fail")
            }
        )
        #expect(run.output.contains { $0.hasPrefix("To see it pass:") })
        let homes = Set(try self.run.lines(of: "homes"))
        #expect(homes.count == 1)
        #expect(homes.allSatisfy { !FileManager.default.fileExists(atPath: String($0)) })
    }

    @Test("retries why judges a run of all tests by those that the filter names, even by one that died")
    func withAll() async throws {
        let options = "why --conditions with-all --runs 5"
        let script =
            #"case "$*" in *--filter*) pass C.t;; *) fail A.t; [ -e odd ] && fail C.t || begin C.t; exit 1;; esac"#
        let run = try await run(options, script, parameters: ["--filter", "C"])
        #expect(run.output.contains("It depends on other tests: it failed in each run when all run."))
        let other = #"case "$*" in *--filter*) pass C.t;; *) fail A.t; pass C.t; exit 1;; esac"#
        let innocent = try await self.run(options, other, parameters: ["--filter=C"])
        #expect(innocent.output.contains("  with all  0 of 5"))
        let shown = try await self.run(options, ScriptRuns.display, parameters: ["--filter", "C"])
        let line = "retries: left out with-all: the output names tests only by their display names (\"signs in\")"
        #expect(shown.errorOutput.contains(line) && !shown.output.contains { $0.contains("with all") })
        let twice = #"case "$*" in *--filter*) pass C.t;; *) fail C.t; fail C.t; exit 1;; esac"#
        let shared = try await self.run(options, twice, parameters: ["--filter", "C"])
        #expect(shared.errorOutput.contains("retries: left out with-all: several tests of that name ran (C.t)"))
        #expect(!shared.output.contains { $0.contains("with all") })
        #expect(try await self.run(options, other).ending == .exitCode(2))
    }

    @Test("retries why looks for data races if it is asked to, with no more runs than that takes")
    func races() async throws {
        let swift = #"""
            #!/bin/bash
            [ $1 = demangle ] && exec sed s/mangled/Cart.add/
            case "$*" in *sanitize=thread*) echo "$SWIFT_BACKTRACE" >>traces ;; esac
            echo "Test Case 'C.t' started"; echo "Test Case 'C.t' passed"
            folder=$PWD; case "$*" in */elsewhere/*) folder=/elsewhere/shop ;; esac
            case "$*" in *--sanitize=thread*) echo "WARNING: ThreadSanitizer: data race"; echo "  #0 mangled() $folder/Cart.swift:3";; esac
            """#
        let why = try await run.swiftTest("why --conditions races", swift: swift)
        #expect(why.ending == .success)
        #expect(why.output.prefix(2) == ["  as is  0 of 3  runs failed or flaked (0 % to 56.2 %)", "  races  0 of 3"])
        #expect(why.output.dropFirst(2).first == "a data race: Cart.add() in Cart.swift")
        #expect(why.output.last == "  swift run retries repeat 20 --under races -- swift test")
        let options = ["--package-path", "/elsewhere/shop", "--sanitize=undefined"]
        let elsewhere = try await run.swiftTest("why --conditions races", options, swift: swift)
        #expect(elsewhere.output.contains("a data race: Cart.add() in Cart.swift"), "\(elsewhere)")
        // Swift's backtracer hangs there, also in exit tests.
        #expect(Set(try run.lines(of: "traces")) == ["enable=no"])
    }

    @Test("retries why leaves a condition out under which no test runs, with the command's last line")
    func leftOut() async throws {
        let script = "[ \"$MALLOC_PERTURB_\" ] && { echo no tool here; exit 1; }; pass C.t"
        let run = try await run("why --conditions memory,time-zone --runs 2", script)
        #expect(run.ending == .success)
        #expect(run.errorOutput.contains("retries: left out memory, under which no test ran: no tool here"))
        #expect(!run.output.contains { $0.contains("memory") })
    }

    @Test("retries why ends with 2 if the command runs no test, and shows what it wrote")
    func noTests() async throws {
        let run = try await run("why", "echo error: no such module")
        #expect(run.ending == .exitCode(2))
        #expect(run.errorOutput.first == "  error: no such module")
        #expect(run.errorOutput.last?.hasPrefix("retries: run 1 left no report and ended with exit code 0") == true)
    }

    @Test("retries why and repeat end with 2 if there is no such command", arguments: ["why", "repeat 3"])
    func noCommand(command: String) async throws {
        let run = try await run.retries("\(command) -- no-such-command")
        #expect(run.ending == .exitCode(2))
        #expect(run.errorOutput == ["retries: no-such-command cannot be run: No such file or directory"])
    }

    @Test("retries why shows what is known when it is asked to end, and ends the load with it")
    func interrupt() async throws {
        let script = "pass C.t; [ $n = 4 ] && { touch ready; sleep 200; }"
        let run = try await run("why --conditions load", script, signal: SIGINT)
        #expect(run.ending == .signal(SIGINT))
        #expect(run.errorOutput.last == "retries: interrupted")
        #expect(run.output.contains { $0.hasPrefix("  load   ") })
    }

    @Test("retries why begins no run after it was asked to end, even to look for a seed")
    func interruptSeeds() async throws {
        let script = #"""
            seed=$RETRYABLE_TASK_SEED; report 0 "\"RETRYABLE_TASK_SEED\": \"$seed\""; echo "$seed" >>seeds
            [ "$seed" ] || { pass C.t; exit; }
            if [ "$seed" = 1 ]; then [ -e again ] && { touch ready; sleep 200; }; touch again; fi
            fail C.t; exit 1
            """#
        let run = try await run("why --conditions task-order --runs 40", script, signal: SIGINT)
        #expect(run.ending == .signal(SIGINT))
        #expect(try self.run.lines(of: "seeds").last == "1")
        #expect(run.output.contains { $0.hasPrefix("  swift run retries repeat 20 --under task-order -- ") })
    }

    #if os(Linux)
        /// A program that fails if a thread sleeps at one of a thousand locks or, with an argument, of a million.
        private static let lockProgram = #"""
            #include <pthread.h>
            #include <stdio.h>
            #include <sys/resource.h>
            static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
            static int sleeps(int count) {
                struct rusage before, after;
                getrusage(RUSAGE_SELF, &before);
                for (int i = 0; i < count; i++) pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex);
                getrusage(RUSAGE_SELF, &after);
                return after.ru_nvcsw - before.ru_nvcsw > 4;
            }
            int main(int count, char **arguments) {
                if (sleeps(1000)) return fputs("too early", stdout), 2;
                fputs("Test Suite 'All tests' started at 9:30\nTest Case 'C.t' started at 9:30\n", stdout);
                int isLate = sleeps(count > 1 ? 1000000 : 1000);
                if (isLate) fputs("/shop/C.swift:3: error: C.t : late\nTest Case 'C.t' failed (0.1 seconds)\n", stdout);
                else fputs("Test Case 'C.t' passed (0.1 seconds)\n", stdout);
                fputs("Test Suite 'All tests' passed at 9:30\n", stdout);
                return isLate;
            }
            """#

        @Test("retries why delays the threads of the process that runs tests, from its first test on")
        func delays() async throws {
            let build = "printf %s \"$SOURCE\" | clang -x c -o locks.xctest - && cp locks.xctest locks"
            let compiler = try await ChildRun.of(
                URL(fileURLWithPath: "/bin/sh"),
                ["-c", build],
                environment: ["SOURCE": Self.lockProgram],
                in: run.folder.url
            )
            #expect(compiler.ending == .success)
            let why = try await run.retries("why --conditions delays -- ./locks.xctest")
            let sentence =
                "It relies on something being done in time, or in an order that nothing guarantees: it failed in each run when threads are delayed."
            #expect(why.output.contains(sentence), "\(why.output)")
            #expect(why.output.contains("  swift run retries repeat 20 --under delays -- ./locks.xctest"))
            let many = try await run.retries("repeat 1 --under delays --limit 30s -- ./locks.xctest many")
            #expect(many.output.contains { $0.hasSuffix(": 0 passed, 0 flaked, 1 failed, 0 died") }, "\(many)")
            // Another process may be in a container, or may not run tests.
            let other = try await run.retries("why --conditions delays -- ./locks")
            let reason = "no test process loads the delays: it is in a container, or linked statically"
            #expect(other.errorOutput.contains("retries: left out delays: \(reason)"))
            let repeated = try await run.retries("repeat 2 --under delays -- ./locks")
            #expect(repeated.ending == .exitCode(2))
            #expect(repeated.errorOutput.last == "retries: \(reason)")
        }

        @Test("retries why leaves delays out where there is no clang beside swift")
        func noCompiler() async throws {
            let path = ["PATH": run.folder.path]
            let run = try await run("why --conditions delays,memory --runs 2", "pass C.t", environment: path)
            #expect(run.ending == .success)
            let reason =
                "retries: left out delays: there is no clang beside the swift on the PATH"
            #expect(run.errorOutput.contains(reason))
            #expect(run.output.contains("  memory  0 of 2"))
        }
    #endif

    @Test("retries why leaves out a run of all tests that takes a tenth of the time")
    func slowWithAll() async throws {
        let script = #"case "$*" in *--filter*) pass C.t;; *) begin A.t; sleep 200;; esac"#
        let run = try await run(
            "why --conditions with-all,memory --for 10s --runs 40",
            script,
            parameters: ["--filter", "C"]
        )
        #expect(run.ending == .success)
        let reason = " took longer than 1 s under with-all and was ended, to leave time for the others (--for)"
        #expect(run.errorOutput.contains { $0.hasPrefix("retries: left out with-all: run ") && $0.hasSuffix(reason) })
        #expect(
            run.output.contains { $0.hasPrefix("  memory  0 of ") } && !run.output.contains { $0.contains("with all") }
        )
    }

    @Test(
        "retries why leaves out a condition under which tests are slow, and takes a hang for one that tests fail under"
    )
    func slow() async throws {
        let script = #"""
            [ "$TZ" ] || { pass C.t; exit; }
            begin C.t; [ -e fails ] && { fail C.u; rm fails; }
            while sleep 0.2; do echo; [ -e hangs ] || echo >>"${RETRYABLE_REPORT%/*}/events"; done
            """#
        let command = "why --conditions memory,time-zone --limit 2s --runs 4"
        let slow = try await run(command, script)
        #expect(slow.ending == .success)
        let reason =
            "took longer than 2 s under time-zone and was ended, though its tests went on (--limit)"
        #expect(slow.errorOutput.contains { $0.hasPrefix("retries: left out time-zone: run ") && $0.hasSuffix(reason) })
        #expect(slow.output.contains("  memory  0 of 4"))
        // What has failed before counts, and what is slow after it does not take that away.
        let fails = try await run(command, "[ -e done ] || touch done fails; \(script)")
        #expect(fails.output.contains { $0.hasPrefix("  time zone  1 of 1") }, "\(fails)")
        #expect(fails.errorOutput.contains { $0.hasSuffix("though its tests went on, so it does not count (--limit)") })
        let hangs = try await run(command, "touch hangs; \(script)")
        #expect(hangs.output.contains { $0.hasPrefix("  time zone  4 of 4") })
        let died = "took longer than 2 s under time-zone and was ended, so it counts as died (--limit)"
        #expect(hangs.errorOutput.count { $0.hasSuffix(died) } == 4)
        // A test that ends when it usually does shows nothing of another.
        let late = #"""
            [ "$TZ" ] || { sleep 3; pass C.t; exit; }
            begin C.t; sleep 2.5; echo >>"${RETRYABLE_REPORT%/*}/events"; sleep 100
            """#
        let beside = try await run("why --conditions time-zone --limit 4s --runs 2", late)
        #expect(beside.output.contains { $0.hasPrefix("  time zone  2 of 2") }, "\(beside)")
    }

    @Test("retries why ends a run that hangs, within the time that was asked for")
    func hangs() async throws {
        let run = try await run("why --conditions memory --for 1s", "begin C.t; sleep 200")
        #expect(run.ending == .success)
        let line = "retries: run 1 took longer than 1 s and was ended, so it counts as died (--limit)"
        #expect(run.errorOutput.contains(line))
        #expect(run.output.first?.hasPrefix("  as is   1 of 1") == true)
    }

    @Test("retries why and repeat end in time", arguments: ["why --conditions memory", "repeat"])
    func limit(command: String) async throws {
        #expect(try await run("\(command) --for 1s", "pass C.t; sleep 0.6").ending == .success)
        let count = try String(contentsOf: run.folder.file("count"), encoding: .utf8)
        #expect(["x\n", "x\nx\n"].contains(count))
    }
}
