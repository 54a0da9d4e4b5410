import Foundation
import RetryReport
import TestSupport
import Testing

@Suite("The command as a process")
struct ProcessTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.write(Sample.mixed, to: "r.json")
    }

    @Test(
        "the command ends with a code for each outcome",
        arguments: [
            ("--version", 0), ("check r.json --max-flaky 5 --allow-unfinished", 0), ("check r.json", 1),
            ("check missing.json", 2),
        ]
    )
    func codes(arguments: String, code: Int32) async throws {
        #expect(try await shell("retries \(arguments) >out 2>&1").code == .exitCode(code))
        #expect(try run.bytes(of: "out").isEmpty == false)
    }

    @Test("the command reads standard input and pipes, and writes to devices and pipes")
    func pipes() async throws {
        let piped = try await shell("retries report - --format github --output /dev/stdout <r.json | grep -c ^::")
        #expect(piped.output == "7\n")
        let substituted = try await shell("retries report <(cat r.json) <(cat r.json) | grep SUMMARY")
        #expect(substituted.output.contains("2 failed, 2 pending, 4 flaky"))
        #expect(!substituted.output.contains("\u{1B}"))
        #expect(try run.names == ["r.json"])
        // Where they lead to a file, that keeps what it has.
        for name in ["stdout", "stderr", "fd/1"] {
            let script = "{ echo a; retries report r.json --format github --output /dev/\(name); echo b; } >log 2>&1"
            let log = try await shell("\(script); head -1 log; grep -c ^:: log; tail -1 log").output
            #expect(log.split(separator: "\n") == ["a", "7", "b"])
        }
    }

    @Test("the command names its report, and what is wrong with it, on standard error only")
    func streams() async throws {
        let output = try await shell("RETRYABLE_REPORT=r.json retries report --format json 2>errors")
        #expect(try Report(json: Array(output.output.utf8)) == Sample.mixed)
        #expect(String(decoding: try run.bytes(of: "errors"), as: UTF8.self) == "retries: reading r.json\n")
        #expect(try await shell("retries report --format 2>/dev/null").output.isEmpty)
    }

    private func shell(_ script: String) async throws -> (code: ChildRun.Ending, output: String) {
        let programs = Checkout.program("retries").deletingLastPathComponent().path
        let path = "\(programs):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let bash = URL(fileURLWithPath: "/bin/bash")
        let child = try await ChildRun.of(bash, ["-c", script], environment: ["PATH": path], in: run.folder)
        return (child.ending, String(decoding: child.outputBytes, as: UTF8.self))
    }
}
