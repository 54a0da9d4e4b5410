import Foundation
import RetryReport
import Testing

@Suite("The command as a process")
struct ProcessTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.write(Sample.mixed, to: "r.json")
    }

    @Test(
        "ends with the code that says how it went",
        arguments: [
            ("--version", 0), ("check r.json --max-flaky 5 --allow-unfinished", 0), ("check r.json", 1),
            ("check missing.json", 2),
        ]
    )
    func codes(arguments: String, code: Int32) throws {
        #expect(try shell("retries \(arguments) >out 2>&1").code == code)
        #expect(try run.bytes(of: "out").isEmpty == false)
    }

    @Test("reads standard input and pipes, and writes to what is no file")
    func pipes() throws {
        let piped = try shell("retries report - --format github --output /dev/stdout <r.json | grep -c ^::")
        #expect(piped.output == "7\n")
        let substituted = try shell("retries report <(cat r.json) <(cat r.json) | grep SUMMARY")
        #expect(substituted.output.contains("4 flaky, 2 failed"))
        #expect(try run.names == ["r.json"])
    }

    @Test("says on standard error, and there alone, which report it took and what is wrong")
    func streams() throws {
        let output = try shell("RETRYABLE_REPORT=r.json retries report --format json 2>errors")
        #expect(try Report(json: Array(output.output.utf8)) == Sample.mixed)
        #expect(String(decoding: try run.bytes(of: "errors"), as: UTF8.self) == "retries: reading r.json\n")
        #expect(try shell("retries report --format 2>/dev/null").output.isEmpty)
    }

    @Test("has no colours for what is no terminal")
    func colors() throws {
        #expect(try !shell("retries report r.json").output.contains("\u{1B}"))
    }

    private func shell(_ script: String) throws -> (code: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", script]
        process.currentDirectoryURL = run.folder
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = "\(Self.products.path):\(environment["PATH"] ?? "")"
        environment["RETRYABLE_REPORT"] = nil
        process.environment = environment
        process.standardOutput = pipe
        try process.run()
        // Drained before it is waited for, so that no amount of output can block it.
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// The folder of the test bundle, where the executable is too.
    private static let products: URL = {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
        var folder = URL(fileURLWithPath: bundle)
        while folder.path != "/", folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
        return folder
    }()
}
