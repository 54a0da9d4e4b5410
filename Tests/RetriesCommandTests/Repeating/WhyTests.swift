import Foundation
import TestSupport
import Testing

@Suite("retries why")
struct WhyTests {
    private let run: ScriptRuns

    init() throws {
        run = try ScriptRuns()
    }

    @Test("names the condition under which tests fail, a command that reproduces it, and the mark that contains it")
    func more() async throws {
        let script = "[ \"$TZ\" ] && { fail C.t; exit 1; }; pass C.t"
        let run = try await run("why --conditions memory,time-zone", script)
        #expect(run.ending == .success)
        #expect(
            run.output.prefix(4) == [
                "  as is      0 of 10  runs failed or flaked (0 % to 27.8 %)",
                "  time zone  10 of 10  p < 0.001",
                "  memory     0 of 10",
                "It depends on the time zone: it failed in each run in Pacific/Chatham.",
            ]
        )
        #expect(run.output[5].hasPrefix("  swift run retries repeat 20 --under time-zone -- /bin/bash -c '"))
        let place = "Tests/CartTests.swift:31 failed in 10 of 30 runs (19.2 % to 51.2 %): XCTAssertEqual failed: (\""
        #expect(run.output.contains { $0.contains(place) })
        let mark = #"put it into flaky(.fixable(reason: "…", matching: "XCTAssertEqual failed:")) { … }"#
        #expect(run.output.contains { $0.hasSuffix(mark) })
        #expect(Set(try self.run.lines(of: "ids")).count == 1)
    }

    @Test("names the condition under which tests no longer fail, for programs too")
    func fewer() async throws {
        let script = "[ \"$SWIFT_DETERMINISTIC_HASHING\" ] || { fail C.t; exit 1; }; pass C.t"
        let run = try await run("why --conditions fixed-hashes,one-core --runs 5 --format json", script)
        let document = try JSONDecoder().decode(Document.self, from: run.outputBytes)
        #expect(document.causes == ["fixed-hashes"])
        #expect(document.command?.contains("--under fixed-hashes") == true)
        let rows = document.conditions.map { "\($0.name) \($0.bad) \($0.runs) \($0.p ?? -1 < 0.01)" }
        #expect(rows == ["as-is 5 5 true", "one-core 5 5 false", "fixed-hashes 0 5 true"])
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

    @Test("says how rare a cause may still be, where none is found")
    func nothing() async throws {
        let run = try await run("why --conditions load,memory --runs 3", "pass C.t")
        let sentence =
            "No condition makes a difference that 3 runs show: under each it fails in less than 56.2 % of the runs."
        #expect(run.output.last == sentence)
        #expect(run.errorOutput.last == "retries: 9 of 9")
    }

    @Test("gives each run a home of its own, which is one folder, and leaves none behind")
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
                $0.hasPrefix("It depends on files or defaults of earlier runs: it did not fail")
            }
        )
        #expect(run.output.contains { $0.hasPrefix("To see it pass:") })
        let homes = Set(try self.run.lines(of: "homes"))
        #expect(homes.count == 1)
        #expect(homes.allSatisfy { !FileManager.default.fileExists(atPath: String($0)) })
    }

    @Test("judges a run of all tests by those that the filter names, also by one that died")
    func withAll() async throws {
        let options = "why --conditions with-all --runs 5"
        let script =
            #"case "$*" in *--filter*) pass C.t;; *) fail A.t; [ -e odd ] && fail C.t || begin C.t; exit 1;; esac"#
        let run = try await run(options, script, parameters: ["--filter", "C"])
        #expect(run.output.contains("It depends on other tests: it failed in each run when all run."))
        let other = #"case "$*" in *--filter*) pass C.t;; *) fail A.t; pass C.t; exit 1;; esac"#
        let innocent = try await self.run(options, other, parameters: ["--filter=C"])
        #expect(innocent.output.contains("  with all  0 of 5"))
        #expect(try await self.run(options, other).ending == .exitCode(2))
    }

    @Test("looks for data races if it is asked to, with no more runs than that takes")
    func races() async throws {
        let swift = #"""
            #!/bin/bash
            [ $1 = demangle ] && exec sed s/mangled/Cart.add/
            echo "Test Case 'C.t' started"; echo "Test Case 'C.t' passed"
            case "$*" in *--sanitize=thread*) echo "WARNING: ThreadSanitizer: data race"; echo "  #0 mangled() $PWD/Cart.swift:3";; esac
            """#
        let (program, path) = (run.folder.file("swift").path, "\(run.folder.path):/usr/bin:/bin")
        try Data(swift.utf8).write(to: URL(fileURLWithPath: program))
        chmod(program, 0o755)
        let why = try await run.retries("why --conditions races", ["--", "swift", "test"], environment: ["PATH": path])
        #expect(why.ending == .success)
        #expect(why.output.prefix(2) == ["  as is  0 of 3  runs failed or flaked (0 % to 56.2 %)", "  races  0 of 3"])
        #expect(why.output[2] == "a data race: Cart.add() in Cart.swift")
        #expect(why.output.last == "  swift run retries repeat 20 --under races -- swift test")
    }

    @Test("leaves a condition out under which no test runs, with the command's last line")
    func leftOut() async throws {
        let script = "[ \"$MALLOC_PERTURB_\" ] && { echo no tool here; exit 1; }; pass C.t"
        let run = try await run("why --conditions memory,time-zone --runs 2", script)
        #expect(run.ending == .success)
        #expect(run.errorOutput.contains("retries: left out memory, under which no test ran: no tool here"))
        #expect(!run.output.contains { $0.contains("memory") })
    }

    @Test("ends with 2 if the command runs no test, and shows what it wrote")
    func noTests() async throws {
        let run = try await run("why", "echo error: no such module")
        #expect(run.ending == .exitCode(2))
        #expect(run.errorOutput.first == "  error: no such module")
        #expect(run.errorOutput.last?.hasPrefix("retries: run 1 of 16") == true)
    }

    @Test("ends with 2 if there is no such command", arguments: ["why", "repeat 3"])
    func noCommand(command: String) async throws {
        let run = try await run.retries("\(command) -- no-such-command")
        #expect(run.ending == .exitCode(2))
        #expect(run.errorOutput == ["retries: no-such-command cannot be run: No such file or directory"])
    }

    @Test("shows what is known when it is asked to end, and ends the load with it")
    func interrupt() async throws {
        let script = "pass C.t; [ $n = 4 ] && { touch ready; sleep 200; }"
        let run = try await run("why --conditions load", script, signal: SIGINT)
        #expect(run.ending == .success)
        #expect(run.errorOutput.last == "retries: interrupted")
        #expect(run.output.contains { $0.hasPrefix("  load   ") })
    }

    @Test("ends in time", arguments: ["why --conditions memory", "repeat"])
    func limit(command: String) async throws {
        #expect(try await run("\(command) --for 0s", "").ending == .exitCode(2))
        #expect(!FileManager.default.fileExists(atPath: run.folder.file("count").path))
    }
}
