import Foundation
import Groundwork
import TestSupport

/// A folder of a test's own in which `retries` runs a script many times.
final class ScriptRuns: Sendable {
    let folder: TemporaryFolder

    /// A substitute for `swift test`, of which `$n` counts the runs: `report FLAKES SETTINGS` leaves a report with one mark, `pass TEST`,
    /// `skip TEST` and `fail TEST` write XCTest's lines of output.
    private static let functions = #"""
        echo x >>count; n=0; while read -r; do n=$((n + 1)); done <count
        echo "$RETRYABLE_RUN_ID" >>ids
        report() {
            read -r -d '' json <<END
        {"schemaVersion": 1, "retries": [], "run": {"id": "$RETRYABLE_RUN_ID", "startedAt": "2026-03-01T09:30:00.000Z",
        "finishedAt": "2026-03-01T09:30:01.000Z", "mode": "retry", "settings": {$2}}, "marks": [{"file": "A.swift", "line": 3,
        "reason": "late", "fixable": true, "maxRetryCount": 1, "runs": 1, "flakes": $1}]}
        END
            echo "$json" >"$RETRYABLE_REPORT"
        }
        begin() { echo "Test Case '$1' started at 2026-03-01 09:30:00.000"; }
        end() { echo "Test Case '$1' $2 (0.1 seconds)"; }
        pass() { begin "$1"; end "$1" passed; }
        skip() { begin "$1"; end "$1" skipped; }
        fail() {
            begin "$1"; echo "$PWD/Tests/CartTests.swift:31: error: $1 : XCTAssertEqual failed: (\"$n\") is not equal to (\"0\") - "
            end "$1" failed
        }

        """#

    /// A script whose test of Swift Testing flakes in each run, and has a display name.
    static let display = #"echo '◇ Test "signs in" started.'; report 1; echo '✔ Test "signs in" passed after 1 s.'"#

    init() throws {
        folder = try TemporaryFolder()
    }

    deinit {
        folder.remove()
    }

    /// Runs `retries` with a script as the command.
    ///
    /// - Parameters:
    ///   - options: The command of `retries` and its options.
    ///   - parameters: The script's.
    ///   - signal: The signal to send to `retries` as soon as the script has made the file `ready`.
    func callAsFunction(
        _ options: String,
        _ script: String,
        environment: [String: String] = [:],
        parameters: [String] = [],
        signal: Int32? = nil
    ) async throws -> ChildRun {
        let command = ["--", "/bin/bash", "-c", Self.functions + script, "bash"] + parameters
        return try await retries(options, command, environment: environment) { [folder] process in
            guard let signal else { return }
            let pid = process.identifier
            // Not in a task, which would wait while tests that compute have the threads.
            Thread.detachNewThread {
                while !FileManager.default.fileExists(atPath: folder.file("ready").path) {
                    usleep(10_000)
                }
                kill(pid, signal)
            }
        }
    }

    /// Runs a script of a shell's, in which `$0` is `retries` and `$SCRIPT` a script for it to run.
    func shell(_ shellScript: String, running script: String) async throws -> ChildRun {
        try await ChildRun.of(
            URL(fileURLWithPath: "/bin/bash"),
            ["-c", shellScript, Checkout.program("retries").path],
            environment: ["SCRIPT": Self.functions + script],
            in: folder.url
        )
    }

    /// Runs `retries` in the folder.
    func retries(
        _ options: String,
        _ command: [String] = [],
        environment: [String: String] = [:],
        started: (ChildProcess) -> Void = { _ in }
    ) async throws -> ChildRun {
        try await ChildRun.of(
            Checkout.program("retries"),
            options.split(separator: " ").map(String.init) + command,
            environment: environment,
            in: folder.url,
            started: started
        )
    }

    /// Runs `retries` with `swift test` as the command, and a script as `swift`.
    func swiftTest(_ options: String, _ testOptions: [String] = [], swift: String) async throws -> ChildRun {
        // Written by another process: a child that this one starts meanwhile would keep the file open, and nobody could run it.
        let script = #"printf %s "$0" > "$1" && chmod +x "$1""#
        _ = try await ChildRun.of(URL(fileURLWithPath: "/bin/sh"), ["-c", script, swift, folder.file("swift").path])
        return try await retries(
            options,
            ["--", "swift", "test"] + testOptions,
            environment: ["PATH": "\(folder.path):/usr/bin:/bin"]
        )
    }

    /// The lines of a file that the script wrote.
    func lines(of name: String) throws -> [Substring] {
        try String(contentsOf: folder.file(name), encoding: .utf8).split(separator: "\n")
    }

    /// Waits for the end of the processes that the script noted; they are killed, which takes a moment.
    ///
    /// - Returns: The number of these processes.
    func processesEnd() async throws -> Int {
        let pids = try lines(of: "ready").joined(separator: " ").split(separator: " ").compactMap { pid_t($0) }
        for pid in pids {
            while Self.isAlive(pid) { try await Task.sleep(nanoseconds: 10_000_000) }
        }
        return pids.count
    }

    /// `true` if a process runs; one that has ended and was not reaped yet does not.
    static func isAlive(_ pid: pid_t) -> Bool {
        guard kill(pid, 0) == 0 else { return false }
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
        return !status.contains(") Z ")
    }
}
