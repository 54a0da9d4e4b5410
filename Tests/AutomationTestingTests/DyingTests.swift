import AutomationTesting
import Foundation
import TestSupport
import Testing

@testable import UnrulyApp

/// Nothing is left behind, whoever dies, and whenever.
@Suite("Dying")
final class DyingTests: SandboxedTests {
    @Test(
        "an app that dies or hangs before it is ready fails the test at its line, with how it died and its last words",
        arguments: [UnrulyOptions.Stage.atStart, .configuring, .running]
    )
    func neverReady(stage: UnrulyOptions.Stage) async throws {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) {
            [path = path as String, stage = stage as UnrulyOptions.Stage] in
            Sandbox.enter(path)
            setenv("SWIFT_BACKTRACE", "enable=no", 1)  // takes longer than all else here
            await runTestsOfDyingApps(stage)
        }
        let seen = stage == .atStart ? "nothing was seen instead" : #"seen instead: checkpoint "configured""#
        let how = [
            ": the app exited with code 3", ": the app was killed by signal 9", ": the app was killed by signal 6",
            " within 3 s", " within 3 s",
        ]
        #expect(
            result.output.failures
                == zip([10, 20, 30, 40, 50], how).map { line, how in
                    #"User.swift:\#(line): XCTUnwrap failed: expected non-nil value of type "AppConnection" - "#
                        + #"UnrulyApp is not ready: checkpoint "ready" was not posted\#(how); \#(seen)"#
                }
        )
        #expect(result.output.components(separatedBy: "the app's last output:\nlast words at \(stage)\n").count == 6)
        #expect(
            result.output.components(separatedBy: "the app never connected to the test").count
                == (stage == .atStart ? 6 : 1)
        )
        #expect(try sandbox.left == [])
    }

    @Test("a test that ends takes along the app and all it started, and an app that ends the waits for it")
    func ends() async throws {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) { [path = path as String] in
            Sandbox.enter(path)
            struct Refused: Error {}
            let options = UnrulyOptions { $0.startsOthers = true }
            await runTests([
                "testPasses": { _ in _ = try launchApp("UnrulyApp", options: options, until: .ready) },
                "testFails": { test in
                    _ = try launchApp("UnrulyApp", options: options, until: .ready)
                    XCTFail("on purpose")
                },
                "testThrows": { test in
                    _ = try launchApp("UnrulyApp", options: options, until: .ready)
                    throw Refused()
                },
                "testAppEnded": { test in
                    let app = try launchApp("UnrulyApp", options: options, until: .ready)
                    app.send("exit 0")
                    app.waitForExit()
                },
                "testAppEndsInAWait": { test in
                    let app = try launchApp("UnrulyApp", until: .ready)
                    app.send("announce row visible")
                    app.waitForElement(.row, toBe: .visible)
                    app.waitForCheckpoint(.refreshed) { app.send("exit 5") }
                    app.waitForElement(.row, toBe: .visible)
                },
            ])
        }
        let over = "the app exited with code 5; nothing was seen instead"
        #expect(
            result.output.failures.map { $0.drop { $0 != " " } } == [
                " failed - on purpose", " threw error \"Refused()\"",
                #" failed - checkpoint "refreshed" was not posted: \#(over)"#,
                #" failed - element "row" was not announced visible: \#(over)"#,
            ]
        )
        #expect(try sandbox.left == [])
    }

    @Test(
        "a test program that is killed takes the app along, before and after it has connected, in a folder of any name",
        arguments: [(nil, "sandbox"), (.configured, #"[a\b*c"#), (.ready, "sandbox")] as [(Checkpoint?, String)]
    )
    func testProgramIsKilled(reached: Checkpoint?, folder: String) async throws {
        let sandbox = try Sandbox(folder)
        let path = sandbox.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, reached = reached as Checkpoint?] in
            Sandbox.enter(path)
            await runTests([
                "testIsKilled": { _ in
                    let first = try launchApp("UnrulyApp", until: reached)
                    let second = try launchApp("UnrulyApp", continuing: first, until: reached)
                    kill(getpid(), SIGKILL)
                    XCTAssertNil(second.exitStatus)
                }
            ])
        }
        try await sandbox.waitUntilEmpty()
        #expect(try sandbox.left == [])
    }

    @Test(
        "a folder without permissions is removed all the same; one that cannot be removed is named in one line, and fails no test",
        arguments: [0o700, 0o555]
    )
    func lockedFolder(permissionsOfParent: mode_t) async throws {
        let result = await #expect(processExitsWith: .success, observing: bothStreams) {
            [path = path as String, permissionsOfParent = permissionsOfParent as mode_t] in
            try Sandbox.enterAsSomebody(path)
            await runTests([
                "testLocks": { test in
                    try lockFolder(of: launchApp("/bin/cat", until: nil))
                    XCTAssertEqual(chmod(path, permissionsOfParent), 0)
                }
            ])
        }
        let lines = result.output.split(separator: "\n").filter { $0.contains("AutomationTesting: ") }
        let count = permissionsOfParent == 0o700 ? 0 : 1
        #expect(lines.count == count, "\(result.output)")
        #expect(lines.allSatisfy { $0.contains(" is left: ") })
        #expect(try sandbox.leftFiles.count == count)
        chmod(path, 0o700)
    }

    @Test("an app launched in tearDown ends with its test, and a wait that a test leaves behind fails no other")
    func afterTheTest() async throws {
        let result = await #expect(processExitsWith: .success, observing: bothStreams) { [path = path as String] in
            Sandbox.enter(path)
            let isWaitOver = DispatchSemaphore(value: 0)
            await runTests([
                "testLaunchesInTearDown": { test in
                    let app = try launchApp("UnrulyApp", until: .ready)
                    test.finally = {
                        XCTAssertNil(app.exitStatus)
                        let other = try launchApp("UnrulyApp", until: .ready)
                        XCTAssertTrue(other.waitForCheckpoint(.refreshed) { other.send("post refreshed") })
                    }
                },
                "testFindsNothing": { _ in
                    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: path), [])
                },
                "testLeavesAWait": { test in
                    // Used by one thread at a time.
                    nonisolated(unsafe) let test = test
                    let app = try launchApp("UnrulyApp", until: .ready)
                    kill(app.processIdentifier, SIGSTOP)
                    let text = String(repeating: "x", count: 1_000_000)
                    let hasBegun = DispatchSemaphore(value: 0)
                    let waits: [@Sendable () -> Void] = [
                        {
                            hasBegun.signal()
                            app.send(text)
                        },
                        { app.waitForCheckpoint(.refreshed) { hasBegun.signal() } },
                        { test.waitForCheckpoint(.refreshed, timeout: 2) { hasBegun.signal() } },
                    ]
                    for wait in waits {
                        Thread.detachNewThread {
                            wait()
                            isWaitOver.signal()
                        }
                        hasBegun.wait()
                    }
                    Thread.sleep(forTimeInterval: 0.2)  // until it sends
                },
                "testGoesOnMeanwhile": { _ in
                    for _ in 0..<3 { XCTAssertEqual(isWaitOver.wait(timeout: .now() + 30), .success) }
                },
            ])
        }
        #expect(result.output.contains("Executed 4 tests, with 0 failures"))
        #expect(try sandbox.left == [])
        let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("AutomationTesting: ") }
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.hasSuffix("; no test fails, because the one that waited has ended") })
    }

    @Test("what begins later with the app, or the instance, of a test that has ended fails the test that runs")
    func shared() async throws {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) { [path = path as String] in
            Sandbox.enter(path)
            nonisolated(unsafe) var shared: (app: AppProcess, test: XCTestCase)?
            nonisolated(unsafe) var ended: [AppProcess] = []
            await runTests([
                "testFirst": { test in
                    shared = try (launchApp("UnrulyApp", until: .ready), test)
                    ended = try (0..<12).map { _ in try launchApp("UnrulyApp", until: .ready) }
                    ended[0].terminate()
                    ended[1].send("exit 7")
                    ended[1].waitForExit()
                    for app in ended[2...] { app.send("exit 7") }
                    // Some of their ends are not noted yet when the test ends.
                    let end = Date() + 60
                    for app in ended[2...] {
                        let status = "/proc/\(app.processIdentifier)/stat"
                        func isAlive() -> Bool {
                            (try? String(contentsOfFile: status, encoding: .utf8))?.contains(") Z") == false
                        }
                        while Date() < end, isAlive() {}
                    }
                },
                "testEndedBefore": { _ in
                    let statuses = ended.map { $0.waitForExit() }
                    XCTAssertEqual(statuses.first, .killed(signal: SIGKILL))
                    XCTAssertEqual(Set(statuses.dropFirst()), [.exited(code: 7)])
                },
                "testSends": { _ in shared?.app.send("post refreshed") },
                "testWaits": { _ in shared?.app.waitForCheckpoint(.refreshed) {} },
                "testWaitsWithInstance": { _ in shared?.test.waitForElement(.row, toBe: .gone, timeout: 0.01) },
                "testWaitsForExit": { _ in _ = shared?.app.waitForExit() },
                "testContinues": { _ in _ = try launchApp("UnrulyApp", continuing: shared?.app, until: .ready) },
            ])
        }
        #expect(result.output.contains("Executed 7 tests, with 5 failures"))
        let end = "the app ended with the test that launched it"
        #expect(result.output.components(separatedBy: end).count == 4, "\(result.output)")
    }
}

/// Makes a folder in the app's state that nothing can be removed from.
private func lockFolder(of app: AppProcess) throws {
    let folder = app.stateDirectory.appendingPathComponent("locked/inner")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: folder.appendingPathComponent("file"))
    XCTAssertEqual(chmod(folder.path, 0o111), 0)
    XCTAssertEqual(chmod(folder.deletingLastPathComponent().path, 0o555), 0)
}

/// Apps that die or hang at a stage, each its own way.
private func runTestsOfDyingApps(_ stage: UnrulyOptions.Stage) async -> Never {
    @Sendable func options(_ fate: UnrulyOptions.Fate) -> UnrulyOptions {
        UnrulyOptions {
            $0.stage = stage
            $0.fate = fate
            $0.startsOthers = true
        }
    }
    await runTests([
        "testExits": { test in
            #sourceLocation(file:"User.swift",line:10)
            _ = try launchApp("UnrulyApp", options: options(.exit), until: .ready)
        },
        "testIsKilled": { test in
            #sourceLocation(file:"User.swift",line:20)
            _ = try launchApp("UnrulyApp", options: options(.kill), until: .ready)
        },
        "testCrashes": awaiting { test in
            #sourceLocation(file:"User.swift",line:30)
            _ = try await launchApp("UnrulyApp", options: options(.crash), until: .ready)
        },
        "testHangs": { test in
            #sourceLocation(file:"User.swift",line:40)
            _ = try launchApp("UnrulyApp", options: options(.hang), until: .ready, timeout: 3)
        },
        "testHangsAsync": awaiting { test in
            #sourceLocation(file:"User.swift",line:50)
            _ = try await launchApp("UnrulyApp", options: options(.hang), until: .ready, timeout: 3)
            #sourceLocation()
        },
    ])
}
