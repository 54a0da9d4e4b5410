import AutomationTesting
import Foundation
import TestSupport
import Testing

@testable import UnrulyApp

/// Nothing is left behind, whoever dies, and whenever.
@Suite("Dying")
final class DyingTests: SandboxedTests {
    private static let unreadyStages: [UnrulyOptions.Stage] = [.atStart, .configuring, .running]

    @Test(
        "an app that dies before it is ready fails the test at its line, with how it died and its last words",
        arguments: unreadyStages
    )
    func appDiesBeforeItIsReady(stage: UnrulyOptions.Stage) async throws {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) {
            [path = path as String, stage = stage as UnrulyOptions.Stage] in
            Sandbox.enter(path)
            runTestsOfDyingApps(stage)
        }
        let seen = stage == .atStart ? "nothing was seen instead" : #"seen instead: checkpoint "configured""#
        let how = [
            "the app exited with code 3", "the app was killed by signal 9", "the app was killed by signal 6",
        ]
        #expect(
            result.output.failures
                == zip([10, 20, 30], how).map { line, how in
                    #"User.swift:\#(line): XCTUnwrap failed: expected non-nil value of type "AppConnection" - "#
                        + #"UnrulyApp is not ready: checkpoint "ready" was not posted: \#(how); \#(seen)"#
                }
        )
        #expect(result.output.components(separatedBy: "the app's last output:\nlast words at \(stage)\n").count == 4)
        #expect(
            result.output.components(separatedBy: "the app never connected to the test").count
                == (stage == .atStart ? 4 : 1)
        )
        #expect(try sandbox.left == [])
    }

    @Test("an app that is never ready fails the test when the time is over", arguments: unreadyStages)
    func appIsNeverReady(stage: UnrulyOptions.Stage) async throws {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) {
            [path = path as String, stage = stage as UnrulyOptions.Stage] in
            Sandbox.enter(path)
            let options = UnrulyOptions {
                $0.stage = stage
                $0.startsOthers = true
            }
            runTests([
                "testSync": { _ in _ = try launchApp("UnrulyApp", options: options, until: .ready, timeout: 0.2) },
                "testAsync": awaiting { test in
                    _ = try await launchApp("UnrulyApp", options: options, until: .ready, timeout: 0.2)
                },
            ])
        }
        let failures = result.output.failures
        #expect(failures.count == 2)
        #expect(failures.allSatisfy { $0.contains(#"is not ready: checkpoint "ready" was not posted within 0.2 s"#) })
        #expect(try sandbox.left == [])
    }

    @Test("an app that dies while a test waits ends the wait at once, and the test fails")
    func appDiesWhileATestWaits() async throws {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) { [path = path as String] in
            Sandbox.enter(path)
            runTests([
                "testSync": { test in
                    let app = try launchApp("UnrulyApp", until: .ready)
                    app.send("announce row visible")
                    app.waitForElement(.row, toBe: .visible)
                    app.waitForCheckpoint(.refreshed) { app.send("exit 5") }
                    app.waitForElement(.row, toBe: .visible)
                }
            ])
        }
        let failures = result.output.failures.map { $0.drop { $0 != " " } }
        #expect(
            failures == [
                #" failed - checkpoint "refreshed" was not posted: the app exited with code 5; nothing was seen instead"#,
                #" failed - element "row" was not announced visible: the app exited with code 5; nothing was seen instead"#,
            ]
        )
    }

    @Test("a test that ends, fails or throws takes the app along, and all that the app started")
    func testEnds() async throws {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) { [path = path as String] in
            Sandbox.enter(path)
            struct Refused: Error {}
            let options = UnrulyOptions { $0.startsOthers = true }
            runTests([
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
            ])
        }
        #expect(result.output.failures.count == 2)
        #expect(try sandbox.left == [])
    }

    @Test(
        "a test program that is killed takes the app along, before and after it has connected",
        arguments: [nil, Checkpoint.configured, .ready],
        ["sandbox", #"[a\b*c"#]
    )
    func testProgramIsKilled(reached: Checkpoint?, folder: String) async throws {
        let sandbox = try Sandbox(folder)
        let path = sandbox.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, reached = reached as Checkpoint?] in
            Sandbox.enter(path)
            runTests([
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

    @Test("the next test process removes the directory of one that was killed, and no other")
    func leftDirectory() async throws {
        for name in ["app-automation.4194305.aaaaaa/1/state", "app-automation.\(getpid()).bbbbbb", "other"] {
            let folder = URL(fileURLWithPath: path).appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            Sandbox.enter(path)
            runTests(["testLaunches": { _ in _ = try launchApp("UnrulyApp", until: .ready) }])
        }
        #expect(try sandbox.leftFiles.sorted() == ["app-automation.\(getpid()).bbbbbb", "other"])
    }

    @Test("a folder that its app or test has locked is removed all the same")
    func lockedFolder() async throws {
        let result = await #expect(processExitsWith: .success, observing: bothStreams) { [path = path as String] in
            try Sandbox.enterAsSomebody(path)
            runTests(["testLocks": { _ in try lockFolder(of: launchApp("/bin/cat", until: nil)) }])
        }
        #expect(!result.output.contains(" is left: "))
        #expect(try sandbox.leftFiles == [])
    }

    @Test("what cannot be removed is said in one line, and fails nothing")
    func unremovableFolder() async throws {
        let result = await #expect(processExitsWith: .success, observing: bothStreams) { [path = path as String] in
            try Sandbox.enterAsSomebody(path)
            runTests([
                "testLocks": { test in
                    try lockFolder(of: launchApp("/bin/cat", until: nil))
                    // The folder's own parent, which is none of the module's to mend.
                    XCTAssertEqual(chmod(path, 0o555), 0)
                }
            ])
        }
        let lines = result.output.split(separator: "\n").filter { $0.contains("AutomationTesting: ") }
        #expect(lines.count == 1, "\(result.output)")
        #expect(lines.first?.contains(" is left: ") == true)
        #expect(try sandbox.leftFiles.count == 1)
        chmod(path, 0o700)
    }

    @Test("an app can be launched in tearDown, and ends with the test, too")
    func tearDown() async throws {
        let result = await #expect(processExitsWith: .success, observing: bothStreams) { [path = path as String] in
            Sandbox.enter(path)
            runTests([
                "testFirst": { test in
                    let app = try launchApp("UnrulyApp", until: .ready)
                    test.finally = {
                        XCTAssertNil(app.exitStatus)
                        let other = try launchApp("UnrulyApp", until: .ready)
                        XCTAssertTrue(other.waitForCheckpoint(.refreshed) { other.send("post refreshed") })
                    }
                },
                "testSecond": { _ in
                    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: path), [])
                },
            ])
        }
        #expect(result.output.contains("Executed 2 tests, with 0 failures"))
        #expect(try sandbox.left == [])
    }

    @Test("a wait that its test leaves behind fails no other test, and standard error has what it missed")
    func leftBehind() async throws {
        let result = await #expect(processExitsWith: .success, observing: bothStreams) { [path = path as String] in
            Sandbox.enter(path)
            let hasFirstEnded = DispatchSemaphore(value: 0)
            let isWaitOver = DispatchSemaphore(value: 0)
            runTests([
                "testFirst": { test in
                    // Used by one thread at a time.
                    nonisolated(unsafe) let test = test
                    let app = try launchApp("UnrulyApp", until: .ready)
                    Thread.detachNewThread {
                        hasFirstEnded.wait()
                        app.waitForCheckpoint(.refreshed) {}
                        _ = try? RobotOfAUser(app: app).expect(.row, toBe: .visible)
                        test.waitForElement(.spinner, toBe: .gone, timeout: 0.01)
                        isWaitOver.signal()
                    }
                },
                "testSecond": { _ in
                    hasFirstEnded.signal()
                    XCTAssertEqual(isWaitOver.wait(timeout: .now() + 30), .success)
                },
            ])
        }
        #expect(result.output.contains("Executed 2 tests, with 0 failures"))
        let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("AutomationTesting: ") }
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.hasSuffix("; no test fails, because the one that waited has ended") })
    }
}

private struct RobotOfAUser: AppRobot {
    let app: AppProcess
}

/// Makes a folder in the app's state that nothing can be removed from.
private func lockFolder(of app: AppProcess) throws {
    let folder = app.stateDirectory.appendingPathComponent("locked/inner")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: folder.appendingPathComponent("file"))
    XCTAssertEqual(chmod(folder.path, 0o111), 0)
    XCTAssertEqual(chmod(folder.deletingLastPathComponent().path, 0o555), 0)
}

/// Three apps that die at a stage, each its own way.
private func runTestsOfDyingApps(_ stage: UnrulyOptions.Stage) -> Never {
    @Sendable func options(_ fate: UnrulyOptions.Fate) -> UnrulyOptions {
        UnrulyOptions {
            $0.stage = stage
            $0.fate = fate
            $0.startsOthers = true
        }
    }
    runTests([
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
            #sourceLocation()
        },
    ])
}
