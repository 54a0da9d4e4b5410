import Foundation
import TestSupport
import Testing

@Suite("retries repeat")
struct RepeatTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A substitute for `swift test`: it notes its run and leaves a report. `$n` counts the runs.
    private static let tests = """
        echo x >>count; n=$(wc -l <count | tr -d ' '); echo "$RETRYABLE_RUN_ID" >>ids
        report() {
            cat >"$RETRYABLE_REPORT" <<END
        {"schemaVersion": 1, "retries": [], "run": {"id": "$RETRYABLE_RUN_ID", "startedAt": "2026-03-01T09:30:00.000Z",
        "finishedAt": "2026-03-01T09:30:01.000Z", "mode": "$MODE", "settings": {}}, "marks": [{"file": "A.swift", "line": 3,
        "reason": "late", "fixable": true, "maxRetryCount": 1, "runs": 1, "flakes": $1}]}
        END
        }
        MODE=retry

        """

    @Test("runs a command so often, each run with a report and an identity of its own, and shows what they come to")
    func repeats() async throws {
        defer { folder.remove() }
        let run = try await run(["4"], #"[ -e "$RETRYABLE_REPORT" ] && exit 9; report $((n == 2)); echo "run $n""#)
        #expect(run.ending == .exitCode(1))
        let ids = try String(contentsOf: folder.file("ids"), encoding: .utf8).split(separator: "\n")
        #expect(ids.count == 4)
        // SwiftPM reads manifests anew for each environment that it has not seen.
        #expect(Set(ids).count == 1)
        #expect(run.output.contains { $0.contains("flaked in 1 of 4 runs, 25 % (4.6 % to 69.9 %)") })
        #expect(run.output.last?.hasSuffix("3 passed, 1 flaked, 0 failed, 0 died") == true)
        let counts = run.errorOutput.map { $0.prefix { $0 != "," } }
        #expect(counts == ["retries: 1 of 4", "retries: 2 of 4", "retries: 3 of 4", "retries: 4 of 4"])
    }

    @Test("ends with 0 if nothing failed or flaked")
    func passes() async throws {
        defer { folder.remove() }
        let run = try await run(["3"], "report 0")
        #expect(run.ending == .success)
        #expect(run.output.contains { $0.contains("flaked in none of 3 runs (below 56.2 %)") })
    }

    @Test("stops at the first flake if that is asked for, and shows what that run wrote")
    func untilFlake() async throws {
        defer { folder.remove() }
        let run = try await run(["50", "--until-flake"], #"echo "this is run $n"; report $((n == 3))"#)
        #expect(run.ending == .exitCode(1))
        #expect(try Data(contentsOf: folder.file("count")).count == 6)
        #expect(run.errorOutput.contains("  this is run 3"))
        #expect(!run.errorOutput.contains("  this is run 2"))
    }

    @Test("tells real failures and runs that died from flakes")
    func troubles() async throws {
        defer { folder.remove() }
        let script = "report 0; case $n in 2) echo boom; exit 1;; 3) kill -SEGV $$;; esac"
        let run = try await run(["4"], script)
        #expect(run.ending == .exitCode(1))
        #expect(run.output.last?.hasSuffix("2 passed, 0 flaked, 1 failed, 1 died") == true)
        #expect(run.errorOutput.contains("retries: run 2 failed (exit code 1); it wrote:"))
        #expect(run.errorOutput.contains("  boom"))
    }

    @Test("keeps the reports, and the output of runs in which something went wrong")
    func keeps() async throws {
        defer { folder.remove() }
        let run = try await run(["2", "--keep", "kept/here"], #"echo "run $n"; report $((n == 2))"#)
        #expect(run.ending == .exitCode(1))
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder.file("kept/here").path).sorted()
        #expect(kept.map { $0.dropFirst("20260301-093000".count) } == ["-1.json", "-2.json", "-2.log"])
        let history = try await ChildRun.of(Checkout.program("retries"), ["history", "kept"], in: folder.url)
        #expect(history.output.contains { $0.contains("flaked in 1 of 2 runs") })
    }

    @Test("shows whether it got better than in the runs kept before", arguments: [(8, 0, 0), (8, 7, 1), (0, 8, 1)])
    func than(before: Int, now: Int, code: Int32) async throws {
        defer { folder.remove() }
        let first = try await run(["8", "--keep", "kept"], "report $((n <= \(before)))")
        #expect(first.ending == (before > 0 ? .exitCode(1) : .success))
        let second = try await run(["8", "--than", "kept"], "report $((n <= 8 + \(now)))")
        #expect(second.ending == (code == 0 ? .success : .exitCode(code)))
        #expect(second.output.last?.hasPrefix("\(before) of 8 before, \(now) of 8 now: p ") == true)
        let words = [0: "it is better", 7: "which more runs may show to be a difference", 8: "it is worse"]
        #expect(second.output.last?.hasSuffix(", \(words[now] ?? "")") == true)
    }

    @Test("runs under a condition")
    func under() async throws {
        defer { folder.remove() }
        let run = try await run(["2", "--under", "time-zone"], #"[ "$TZ" = Pacific/Chatham ] || exit 9; report 0"#)
        #expect(run.ending == .success)
    }

    #if os(Linux)
        @Test("loads the machine as long as the command runs")
        func load() async throws {
            defer { folder.remove() }
            let run = try await run(
                ["1", "--under", "load"],
                "read -r children </proc/$$/task/$$/children; echo $children >pids; report 0"
            )
            #expect(run.ending == .success)
            #expect(try await processesEnd() == ProcessInfo.processInfo.activeProcessorCount * 2)
        }
    #endif

    @Test("judges tests without a report by their output, and suggests marks for them")
    func plainTests() async throws {
        defer { folder.remove() }
        let script = #"""
            echo "Test Case 'C.t' started at"
            [ $n = 2 ] && { echo "$PWD/C.swift:3: error: C.t : late"; exit 1; }
            echo "Test Case 'C.t' passed"
            """#
        let run = try await run(["3", "--keep", "kept"], script)
        #expect(run.ending == .exitCode(1))
        #expect(run.output.contains { $0.contains("C.swift:3 failed in 1 of 3 runs (6.2 % to 79.2 %): late") })
        #expect(run.output.last?.hasSuffix("2 passed, 0 flaked, 1 failed, 0 died") == true)
        let again = try await self.run(["3", "--than", "kept"], script)
        #expect(again.output.last?.hasPrefix("1 of 3 before, 0 of 3 now: p = 1.00") == true)
    }

    @Test("warns about a folder with reports of other runs, which a history would judge by the last of these")
    func keepsBesideOthers() async throws {
        defer { folder.remove() }
        let arguments = ["1", "--keep", "kept"]
        for _ in 1...2 { #expect(try await run(arguments, "report 0").errorOutput.first == "retries: 1 of 1") }
        try Data().write(to: folder.file("kept/build-7.json"))
        let warning = try await run(arguments, "report 0").errorOutput.first
        #expect(warning?.hasPrefix("retries: kept holds reports of other runs: ") == true)
    }

    @Test("ends with 2 if there is no such command")
    func noCommand() async throws {
        defer { folder.remove() }
        let run = try await ChildRun.of(
            Checkout.program("retries"),
            ["repeat", "3", "--", "no-such-command"],
            in: folder.url
        )
        #expect(run.ending == .exitCode(2))
        #expect(run.errorOutput == ["retries: no-such-command cannot be run: No such file or directory"])
    }

    @Test("ends with 2 at the first run that leaves no report, and loses nothing of those before")
    func noReport() async throws {
        defer { folder.remove() }
        let run = try await run(["5"], #"[ $n = 3 ] && { echo "no space left"; exit 2; }; report 0"#)
        #expect(run.ending == .exitCode(2))
        #expect(
            Array(run.errorOutput.suffix(2)) == [
                "  no space left",
                "retries: run 3 of 5 left no report and ended with exit code 2; the command has to run a RetryableTestCase, "
                    + "or a test with .retryable or .flaky, and pass its environment on",
            ]
        )
        #expect(run.output.contains { $0.contains("flaked in none of 2 runs") })
    }

    @Test("shows what a run wrote whose report cannot be read")
    func tornReport() async throws {
        defer { folder.remove() }
        let run = try await run(["5"], #"echo "run $n"; report 0; [ $n = 1 ] || echo "{" >"$RETRYABLE_REPORT""#)
        #expect(run.ending == .exitCode(2))
        #expect(run.errorOutput.contains("  run 2"))
        #expect(run.errorOutput.last?.hasPrefix("retries: the report of run 2 cannot be read: is not JSON") == true)
        #expect(run.output.contains { $0.contains("flaked in none of 1 run") })
    }

    @Test(
        "says what is wrong with its arguments",
        arguments: [
            "", "0 -- true", "many -- true", "3", "3 4 -- true", "3 true", "-- true", "3 --for 9 -- true",
            "3 --under water -- true", "3 --under with-all -- true", "3 --than nowhere -- true", "3 --than . -- true",
        ]
    )
    func usage(arguments: String) async throws {
        defer { folder.remove() }
        let words = ["repeat"] + arguments.split(separator: " ").map(String.init)
        let run = try await ChildRun.of(Checkout.program("retries"), words, in: folder.url)
        #expect(run.ending == .exitCode(2))
        #expect(run.errorOutput.count == 1)
    }

    // MARK: - Ends

    /// Goes on for minutes in the second run, with a child that does not hear of Ctrl-C and one in a group of its own.
    private static let long = """
        report 0
        [ $n = 1 ] && exit
        set -m
        (trap '' INT TERM; sleep 200) &
        echo $$ $! >pids.new; mv pids.new pids
        sleep 200
        """

    @Test(
        "Ctrl-C ends the command with all that it has started, then shows what there is",
        arguments: [SIGINT, SIGTERM]
    )
    func interrupt(signal: Int32) async throws {
        defer { folder.remove() }
        let run = try await run(["2"], Self.long) { send(signal, to: $0.processIdentifier) }
        #expect(run.ending == .success)
        #expect(run.output.contains { $0.contains("flaked in none of 1 run") })
        #expect(run.errorOutput.last == "retries: interrupted")
        #expect(try await processesEnd() == 2)
    }

    @Test("ends what a run has left running before the next begins")
    func leftovers() async throws {
        defer { folder.remove() }
        let script =
            #"[ $n = 2 ] && kill -0 $(cat left) 2>/dev/null && echo alive; sleep 100 & echo $! >left; report 0"#
        let run = try await run(["2", "--until-flake"], script)
        #expect(run.ending == .success)
        #expect(!run.errorOutput.contains { $0.contains("alive") })
    }

    /// Sends a signal as soon as the second run goes on.
    private func send(_ signal: Int32, to process: pid_t) {
        Task { [folder] in
            while !FileManager.default.fileExists(atPath: folder.file("pids").path) {
                try await Task.sleep(nanoseconds: 10_000_000)
            }
            kill(process, signal)
        }
    }

    private func run(
        _ arguments: [String],
        _ script: String,
        started: (Process) -> Void = { _ in }
    ) async throws -> ChildRun {
        let words = ["repeat"] + arguments + ["--", "/bin/bash", "-c", Self.tests + script]
        return try await ChildRun.of(Checkout.program("retries"), words, in: folder.url, started: started)
    }

    /// Waits for the end of the processes that a run noted; they are killed, which takes a moment.
    ///
    /// - Returns: The number of these processes.
    private func processesEnd() async throws -> Int {
        let pids = try String(contentsOf: folder.file("pids"), encoding: .utf8).split(whereSeparator: \.isWhitespace)
        for pid in pids.compactMap({ pid_t($0) }) {
            while isAlive(pid) { try await Task.sleep(nanoseconds: 10_000_000) }
        }
        return pids.count
    }

    /// `true` if a process runs; one that has ended and was not reaped yet does not.
    private func isAlive(_ pid: pid_t) -> Bool {
        guard kill(pid, 0) == 0 else { return false }
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
        return !status.contains(") Z ")
    }
}
