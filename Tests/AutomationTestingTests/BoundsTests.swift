import AppAutomation
import Foundation
import TestSupport
import Testing

@testable import AutomationTesting
@testable import UnrulyApp

/// What an app does or writes without end, and what it must not get from its test.
@Suite("Bounds")
struct BoundsTests {
    @Test("the last lines of very much output are found without reading all of it")
    func lastLines() {
        let output = [UInt8](repeating: UInt8(ascii: "\n"), count: 200_000_000) + Array("the end\n".utf8)
        let start = DispatchTime.now()
        let message = LastLines(output).message(named: "output")
        #expect(DispatchTime.now() < start + 1)
        #expect(message == "the app's last output:\nthe end")
        #expect(LastLines(Array("\n".utf8)).message(named: "output") == "no output of the app")
    }

    @Test("no more than thirty lines and four thousand characters are shown")
    func lengths() {
        let lines = (1...40).map { "\($0)\n" }.joined()
        let last = (11...40).map { "\($0)" }.joined(separator: "\n")
        #expect(LastLines(Array(lines.utf8)).message(named: "output") == "the app's last output:\n" + last)
        let faces = String(repeating: "🙂", count: 5000)
        #expect(
            LastLines(Array(faces.utf8)).message(named: "output") == "the app's last output:\n" + faces.prefix(4000)
        )
    }

    @Test("sending to an end that never reads is over after a while, in vain")
    func nobodyReads() throws {
        let (theirs, ours) = try Descriptors.socketPair(patience: 1)
        defer { Descriptors.close(theirs, ours) }
        let isSent = Locked<Bool?>(nil)
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let result = UnixSocket.send(String(repeating: "x", count: 10_000_000), to: ours)
            isSent.withLock { $0 = result }
            isOver.signal()
        }
        #expect(isOver.wait(timeout: .now() + 20) == .success)
        #expect(isSent.withLock { $0 } == false)
    }

    @Test("an app that crashes says why, though its backtrace follows")
    func reason() async throws {
        let scene = try Scene()
        let path = scene.path
        let result = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
            [path = path as String] in
            Scene.enter(path)
            unsetenv("SWIFT_BACKTRACE")
            runTests([
                (
                    "testFails",
                    { test in
                        let app = try test.launchApp("UnrulyApp", until: .ready)
                        app.waitForCheckpoint(.refreshed) { app.send("fail MY REASON") }
                        XCTAssertEqual(app.errorOutput.contains("crashed"), true, "no backtrace")
                    }
                ),
                (
                    "testUsersChoice",
                    { test in
                        setenv("SWIFT_BACKTRACE", "enable=no", 1)
                        let app = try test.launchApp("UnrulyApp", until: .ready)
                        app.send("fail MY REASON")
                        app.waitForExit()
                        XCTAssertFalse(app.errorOutput.contains("crashed"))
                    }
                ),
            ])
        }
        #expect(result.output.failures.count == 1)
        let message = result.output.components(separatedBy: "the app's last error output:").last ?? ""
        #expect(message.components(separatedBy: "Test Case").first?.contains("fail MY REASON") == true)
    }

    @Test("a stream that never has nothing to read is left, too, once the app has ended")
    func endlessStream() async {
        // In a process of its own, which ends with all that it would read if the stream were not left.
        await #expect(processExitsWith: .success) {
            let app = try ChildProcess("/bin/sh", ["-c", "exit 3"], environment: [:], streams: [])
            let watch = AppWatch()
            let zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC)
            let (nothing, alsoNothing) = (Descriptors.null(), Descriptors.null())
            try watch.begin(app, output: zeros, errorOutput: nothing, socket: alsoNothing, patience: 0.02) {}
            let isOver = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                watch.waitUntilFinished()
                isOver.signal()
            }
            let result = isOver.wait(timeout: .now() + 3)
            exit(result == .success && watch.status == .exited(code: 3) ? 0 : 1)
        }
    }

    @Test("what left the app and writes on does not keep the app from having ended")
    func flood() async throws {
        let scene = try Scene()
        let path = scene.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            Scene.enter(path)
            runTests([
                (
                    "testFlood",
                    { test in
                        let app = try test.launchApp("UnrulyApp", until: .ready)
                        app.send("flood now")
                        XCTAssertEqual(app.waitForExit(timeout: 10), .exited(code: 0))
                        XCTAssertTrue(app.output.hasPrefix("flood\nflood\n"))
                    }
                )
            ])
        }
    }

    @Test("an app gets no descriptor of its test's")
    func descriptors() async throws {
        let scene = try Scene()
        let path = scene.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            Scene.enter(path)
            runTests([
                (
                    "testDescriptors",
                    { test in
                        let file = open(path + "/file", O_CREAT | O_RDWR, 0o600)
                        XCTAssertGreaterThan(file, 2)
                        let app = try test.launchApp("UnrulyApp", until: .ready)
                        let descriptors = "/proc/\(app.processIdentifier)/fd"
                        let open = try FileManager.default.contentsOfDirectory(atPath: descriptors).map {
                            try FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
                        }
                        XCTAssertGreaterThanOrEqual(open.count, 4)
                        XCTAssertEqual(open.filter { $0.hasSuffix("/file") }, [])
                        close(file)
                    }
                )
            ])
        }
    }

    @Test("a NUL in what an app is launched with fails the test, and nothing is launched")
    func nul() async throws {
        let scene = try Scene()
        let path = scene.path
        let result = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
            [path = path as String] in
            Scene.enter(path)
            runTests([
                (
                    "testNUL",
                    { test in
                        _ = try test.launchApp(
                            "UnrulyApp",
                            arguments: ["good", "a\0b"],
                            environment: ["KEY": "\0", "GOOD": "1"],
                            until: .ready
                        )
                    }
                )
            ])
        }
        let why = "has a NUL character in it, which the system does not pass on"
        #expect(result.output.contains(#" - argument "a\0b" \#(why)"# + "\n" + #"variable "KEY" \#(why)"# + "\n"))
        #expect(result.output.failures.count == 1)
        #expect(try scene.leftFiles == [])
    }

    @Test("an app that refuses its arguments is not blamed for never connecting")
    func refusedArguments() async throws {
        let scene = try Scene()
        let path = scene.path
        let result = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
            [path = path as String] in
            Scene.enter(path)
            runTests([
                ("testRefused", { _ = try $0.launchApp("UnrulyApp", arguments: ["-fate=shine"], until: .ready) })
            ])
        }
        #expect(result.output.contains("the app exited with code 64"))
        #expect(result.output.contains(#"UnrulyApp: launch option -fate cannot be "shine""#))
        #expect(!result.output.contains("never connected"))
    }
}
