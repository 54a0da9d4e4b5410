import Foundation
import TestSupport
import Testing

@testable import AutomationTesting
@testable import UnrulyApp

@Suite("Launching an app")
final class LaunchingTests: SandboxedTests {
    @Test("what the app posts, announces and writes comes to the test, in both forms of waiting")
    func goodApp() async throws {
        let result = await #expect(processExitsWith: .success, observing: bothStreams) { [path = path as String] in
            Sandbox.enter(path)
            await runTests([
                "testSync": { test in
                    let app = try launchApp("UnrulyApp", until: .ready)
                    XCTAssertTrue(app.waitForCheckpoint(.refreshed) { app.send("post refreshed") })
                    app.send("announce row visible")
                    XCTAssertTrue(app.waitForElement(.row, toBe: .present))
                    app.waitForCheckpoint(Checkpoint("printed")) { app.send("hello there") }
                    app.send("exit 7")
                    XCTAssertEqual(app.waitForExit(), .exited(code: 7))
                    XCTAssertEqual(app.output, "hello there\n")
                    XCTAssertEqual(app.errorOutput, "")
                },
                "testAsync": awaiting { test in
                    let app = try await launchApp("UnrulyApp", until: .ready)
                    let isPosted = await app.waitForCheckpoint(.refreshed) { app.send("post refreshed") }
                    XCTAssertTrue(isPosted)
                    app.send("announce row visible")
                    let isVisible = await app.waitForElement(.row, toBe: .visible)
                    XCTAssertTrue(isVisible)
                    app.send("exit 0")
                    let status = await app.waitForExit()
                    XCTAssertEqual(status, .exited(code: 0))
                },
                "testMuchOutput": { test in
                    let options = UnrulyOptions { $0.chatter = 1_000_000 }
                    let app = try launchApp("UnrulyApp", options: options, until: .ready)
                    app.terminate()
                    XCTAssertEqual(app.output.utf8.count, 1_000_000)
                    XCTAssertEqual(app.errorOutput.utf8.count, 1_000_000)
                    XCTAssertEqual(app.exitStatus, .killed(signal: SIGKILL))
                },
                "testLongPath": { test in
                    setenv("TMPDIR", "\(path)\(String(repeating: "/long", count: 20))", 1)
                    defer { setenv("TMPDIR", path, 1) }
                    _ = try launchApp("UnrulyApp", until: .ready)
                },
                "testRemovedState": { test in
                    let app = try launchApp("UnrulyApp", until: .ready)
                    try FileManager.default.removeItem(at: app.stateDirectory)
                    _ = try launchApp("UnrulyApp", continuing: app, until: .ready)
                },
                "testUnknownEnd": { test in
                    signal(SIGCHLD, SIG_IGN)
                    defer { signal(SIGCHLD, SIG_DFL) }
                    let app = try launchApp("UnrulyApp", until: .ready)
                    app.send("exit 7")
                    XCTAssertNil(app.waitForExit(), "told as an end that nobody knows")
                },
            ])
        }
        #expect(result.output.contains("Executed 6 tests, with 0 failures"))
        #expect(try sandbox.left == [])
    }

    @Test("time after time, output is there with its checkpoint, and no wait is met by what was posted before it began")
    func timeAfterTime() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            Sandbox.enter(path)
            let printed = Checkpoint("printed")
            await runTests([
                "testOutput": { test in
                    let app = try launchApp("UnrulyApp", until: .ready)
                    for number in 0..<300 {
                        app.waitForCheckpoint(printed) { app.send("line \(number)") }
                        XCTAssertTrue(app.output.hasSuffix("line \(number)\n"), "line \(number) is missing")
                    }
                },
                "testCheckpoint": { test in
                    let app = try launchApp("UnrulyApp", until: .ready)
                    for number in 0..<300 {
                        app.waitForCheckpoint(.refreshed) { app.send("post refreshed \(number)") }
                        let begin = DispatchTime.now().uptimeNanoseconds
                        let late = app.awaitableEvents.failure(
                            for: .checkpoint(Checkpoint("\(number)")),
                            timeout: 0.001
                        ) {}
                        guard late == nil else { continue }
                        // The app may have been so slow to post it that it came after the wait began.
                        app.waitForCheckpoint(printed) { app.send("posted") }
                        let posted = app.output.split(separator: "\n").last.flatMap { UInt64($0) } ?? 0
                        XCTAssertGreaterThan(posted, begin, "wait \(number) was met")
                    }
                },
            ])
        }
    }

    @Test("launching over and over leaves no descriptor open in the test's process, even if the apps are kept")
    func descriptors() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            Sandbox.enter(path)
            let open = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
            let before = Locked(0)
            nonisolated(unsafe) var apps: [AppProcess] = []
            await runTests([
                "testOnce": { _ in _ = try launchApp("UnrulyApp", until: .ready) },
                "testBefore": { _ in before.withLock { $0 = (try? open()) ?? 0 } },
                "testAgain": { test in
                    for _ in 0..<5 { apps.append(try launchApp("UnrulyApp", until: .ready)) }
                    apps[0].waitForCheckpoint(Checkpoint("printed")) { apps[0].send("line") }
                },
                "testTerminates": { _ in
                    let before = try open()
                    for _ in 0..<5 { try launchApp("UnrulyApp", until: .ready).terminate() }
                    XCTAssertLessThan(try open(), before + 10)
                },
                "testAfter": { _ in
                    // A thread that reads from an app closes its descriptor when it has seen the end.
                    let end = Date() + 60
                    while try open() > before.withLock(\.self), Date() < end { usleep(10_000) }
                    XCTAssertLessThanOrEqual(try open(), before.withLock(\.self))
                    XCTAssertEqual(apps[0].output, "line\n")
                },
            ])
        }
    }

    @Test("an app that cannot be launched fails the test once, at its line, and stops it")
    func cannotLaunch() async throws {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) { [path = path as String] in
            Sandbox.enter(path)
            await runTestsThatCannotLaunch()
        }
        let expected = [
            ("/", "/Nobody is no executable; a name or a path of one is expected"),
            ("\(path)/text cannot be started: ", "Exec format error"),
            ("launch option -nickname cannot be written as an argument: ", "nil, while the default is not nil"),
        ]
        let failures = result.output.failures
        #expect(failures.count == expected.count)
        for (index, (failure, (start, end))) in zip(failures, expected).enumerated() {
            let place = "User.swift:\(index + 1)0"
            let nothing = #"\#(place): XCTUnwrap failed: expected non-nil value of type "AppConnection" - "#
            #expect(failure.hasPrefix(nothing + start) && failure.hasSuffix(end), "\(failure)")
        }
        #expect(try sandbox.leftFiles == ["text"])
        #expect(try sandbox.leftProcesses == [])
    }
}

private struct UnwritableOptions: LaunchOptions {
    @LaunchOption var nickname: String? = "nick"
}

private func runTestsThatCannotLaunch() async -> Never {
    await runTests([
        "testNobody": { test in
            #sourceLocation(file:"User.swift",line:10)
            _ = try launchApp("Nobody", until: .ready)
            XCTFail("not stopped")
        },
        "testNoProgram": { test in
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("text")
            try Data("\u{7f}text".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
            #sourceLocation(file:"User.swift",line:20)
            _ = try launchApp(file.path, until: .ready)
        },
        "testBadOptions": { test in
            #sourceLocation(file:"User.swift",line:30)
            _ = try launchApp("UnrulyApp", options: UnwritableOptions { $0.nickname = nil }, until: .ready)
            #sourceLocation()
        },
    ])
}
