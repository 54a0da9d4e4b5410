import AppAutomation
import Foundation
import TestSupport
import Testing

@testable import AutomationTesting
@testable import UnrulyApp

/// Apps that write or wait without end, and the limits of what they get from their test.
@Suite("Bounds")
final class BoundsTests: SandboxedTests {
    private func kept(_ output: String, limit: Int = 1_000_000) throws -> KeptOutput {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let kept = try KeptOutput(at: folder.file("output").path, limit: limit)
        try Descriptor(number: kept.descriptor).writeAll(Array(output.utf8))
        return kept
    }

    @Test("a failure shows at most thirty lines and four thousand bytes of an app's output")
    func lengths() throws {
        #expect(try kept("\n").lastLines(named: "output") == "no output of the app")
        for end in ["\n", "\r\n"] {
            let lines = (1...40).map { "\($0)\(end)" }.joined()
            let last = (11...40).map { "\($0)" }.joined(separator: end)
            #expect(try kept(lines).lastLines(named: "output") == "the app's last output:\n" + last)
        }
        let faces = String(repeating: "🙂", count: 5000)
        #expect(try kept(faces).lastLines(named: "output") == "the app's last output:\n" + faces.prefix(1000))
    }

    @Test("a failure shows the end of too much output, after a line that says how much came before")
    func keptOutput() throws {
        #expect(try kept("abcdefghij", limit: 10).text == "abcdefghij")
        #expect(try kept("abcdefghijk", limit: 10).text == "[1 bytes came before]\nbcdefghijk")
        #expect(try kept("abc", limit: 0).text == "[3 bytes came before]\n")
    }

    @Test("an app that writes without end, or leaves behind what does, takes its test neither memory nor time")
    func output() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            Sandbox.enter(path)
            await runTests([
                "testOutputWithoutEnd": { test in
                    let options = UnrulyOptions { $0.chatter = 50_000_000 }
                    let before = try peakMemory()
                    let app = try launchApp("UnrulyApp", options: options, until: .ready)
                    // Of 100 MB in two streams, at most 10 each, and as much again while it is cut and copied.
                    XCTAssertLessThan(try peakMemory() - before, 60_000)
                    XCTAssertTrue(app.output.hasPrefix("[40000000 bytes came before]\n"))
                    XCTAssertTrue(app.errorOutput.hasPrefix("[40000000 bytes came before]\n"))
                },
                "testLimitOfATest": { test in
                    let options = UnrulyOptions { $0.chatter = 100_000 }
                    let app = try launchApp("UnrulyApp", options: options, outputLimit: 20, until: .ready)
                    XCTAssertEqual(app.output, "[99980 bytes came before]\nxxxxxxxxxxxxxxxxxxx\n")
                },
                "testChildThatWritesOnAfterTheAppsEnd": { test in
                    let app = try launchApp("UnrulyApp", until: .ready)
                    app.send("flood now")
                    XCTAssertEqual(app.waitForExit(timeout: 10), .exited(code: 0))
                    XCTAssertTrue(app.output.hasPrefix("flood\nflood\n"))
                },
                "testAppGetsNoDescriptorOfItsTest": { test in
                    let file = open(path + "/file", O_CREAT | O_RDWR, 0o600)
                    XCTAssertGreaterThan(file, 2)
                    let app = try launchApp("UnrulyApp", until: .ready)
                    let descriptors = "/proc/\(app.processIdentifier)/fd"
                    let open = try FileManager.default.contentsOfDirectory(atPath: descriptors).map {
                        try FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
                    }
                    XCTAssertGreaterThanOrEqual(open.count, 4)
                    XCTAssertEqual(open.filter { $0.hasSuffix("/file") }, [])
                    close(file)
                },
            ])
        }
    }

    @Test("an app that does not read, refuses its arguments, or crashes fails its test in time, with the reason")
    func failures() async throws {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) { [path = path as String] in
            Sandbox.enter(path)
            unsetenv("SWIFT_BACKTRACE")
            await runTests([
                "testDeaf": { test in
                    let app = try launchApp("UnrulyApp", until: .ready)
                    kill(app.processIdentifier, SIGSTOP)
                    app.send(String(repeating: "x", count: 1_000_000), timeout: 0.1)
                    app.send("glued to the half line")
                    app.terminate()
                    app.send("too late")
                },
                "testRefused": { _ in _ = try launchApp("UnrulyApp", arguments: ["-fate=shine"], until: .ready) },
                "testCrash": { test in
                    let app = try launchApp("UnrulyApp", until: .ready)
                    app.waitForCheckpoint(.refreshed) { app.send("fail MY REASON") }
                    XCTAssertTrue(app.errorOutput.contains("_assertionFailure"), "no backtrace of the crash")
                },
                "testCrashWithoutBacktrace": { test in
                    setenv("SWIFT_BACKTRACE", "enable=no", 1)
                    let app = try launchApp("UnrulyApp", until: .ready)
                    app.send("fail MY REASON")
                    app.waitForExit()
                    XCTAssertFalse(app.errorOutput.contains("crashed"))
                },
            ])
        }
        let failures = result.output.failures.compactMap { $0.components(separatedBy: " - ").last }
        #expect(
            failures.prefix(3) == [
                "\"\(String(repeating: "x", count: 60))\" was not sent: the app does not read",
                "\"glued to the half line\" was not sent: the app takes no lines",
                "\"too late\" was not sent: the app was killed by signal 9",
            ]
        )
        try #require(failures.count == 5)
        #expect(failures[3].contains("the app exited with code 64"))
        #expect(result.output.contains(#"UnrulyApp: launch option -fate cannot be "shine""#))
        #expect(!result.output.contains("never connected"))
        let message = result.output.components(separatedBy: "the app's last error output:").last ?? ""
        #expect(message.components(separatedBy: "Test Case").first?.contains("fail MY REASON") == true)
        #expect(try sandbox.leftFiles == [])
    }
}

/// The most memory that this process has had, in KB; 0 where the system has no such file.
private func peakMemory() throws -> Int {
    guard FileManager.default.fileExists(atPath: "/proc/self/status") else { return 0 }
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try XCTUnwrap(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try XCTUnwrap(line.split(separator: " ").compactMap { Int($0) }.first)
}
