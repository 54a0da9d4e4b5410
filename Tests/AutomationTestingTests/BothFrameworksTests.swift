import Foundation
import Retryable
import TestSupport
import Testing

@testable import AutomationTesting

/// Waits in tests of Swift Testing, in programs of their own, and in sections of both frameworks.
@Suite("Both frameworks")
struct BothFrameworksTests {
    @Test("a failure is one issue at the caller's line, which an error stops the test with; in a section it is a flake")
    func swiftTesting() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let run = try await ChildRun.of(
            Checkout.program("WaitScenarios"),
            ["--testing-library", "swift-testing"],
            environment: ["TMPDIR": folder.url.path, "RETRYABLE_REPORT": folder.report.path]
        )
        #expect(run.ending == .failure)
        let waited = #"checkpoint "refreshed" was not posted within 0.01 s"#
        let notVisible = #"element "row" was not announced visible within 0.01 s"#
        let messages = [
            10: "Nobody is no executable", 20: waited, 30: notVisible, 40: waited, 50: waited, 60: notVisible,
        ]
        let lines = run.output + run.errorOutput
        #expect(lines.count { $0.contains("recorded an issue") } == messages.count, "\(run)")
        for (line, message) in messages {
            let issue = lines.firstIndex { $0.contains("recorded an issue at User.swift:\(line):") }
            #expect(lines[try #require(issue) + 1].contains(message), "\(run)")
        }
        for test in ["appEndsWithItsLastReference", "wait", "launch"] {
            #expect(lines.contains { $0.contains("Test \(test)() passed") }, "\(run)")
        }
        for reason in ["a slow wait", "a slow launch"] { #expect("\(run)".contains(reason)) }
        // The last of them is removed by a child of an app, which may end after the tests.
        func left() throws -> [String] { try folder.names.filter { $0.hasPrefix("app-automation") } }
        for _ in 0..<500 where try !left().isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try left() == [], "left behind")
    }

    @Test(
        "a failure without a current test ends a process that shows neither framework, and is not lost",
        arguments: ["detachedTask", "thread"]
    )
    func ownMain(test: String) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let run = try await ChildRun.of(
            Checkout.program("WaitScenarios"),
            ["--filter", "Waits/\(test)"],
            environment: ["TMPDIR": folder.url.path, "RETRYABLE_REPORT": folder.report.path]
        )
        #expect(run.ending == .failure)
        let line = #"AutomationTesting: checkpoint "refreshed" was not posted within 0.01 s"#
        #expect(
            run.errorOutput.contains {
                $0.hasPrefix(line) && $0.hasSuffix("; the process ends, because no test is known to run")
            },
            "\(run)"
        )
    }

    @Test("a launch that fails in the first test of XCTest fails it, or is a flake of its section")
    func firstOfXCTest() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        func run(_ tests: String) async throws -> ChildRun {
            try await ChildRun.of(
                Checkout.program("WaitScenarios"),
                [tests],
                environment: ["RETRYABLE_REPORT": folder.report.path]
            )
        }
        let flaking = try await run("flaking")
        #expect(flaking.ending == .success, "\(flaking)")
        #expect(flaking.output.contains { $0.contains("Executed 2 tests, with 1 test skipped and 0 failures") })
        let failing = try await run("failing")
        #expect(failing.ending == .failure)
        #expect(failing.output.contains { $0.contains("Executed 1 test, with 1 failure (0 unexpected)") }, "\(failing)")
    }

    @Test("an app of the first class's setUp ends with its last reference, and a wait left behind fails no test")
    func launchedBeforeFirstTest() async throws {
        let run = try await ChildRun.of(Checkout.program("WaitScenarios"), ["shared"])
        #expect(run.ending == .success)
        #expect(run.output.contains { $0.contains("Executed 2 tests, with 0 failures") }, "\(run)")
    }

    @Test("a wait that times out in an exit test fails the test that runs it")
    func exitTest() async {
        await withKnownIssue {
            await #expect(processExitsWith: .success) {
                await waitForCheckpoint(.refreshed, timeout: 0.01) {}
                exit(0)
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains(#"checkpoint "refreshed" was not posted within 0.01 s"#) }
        }
    }

    @Test("a wait or a launch that times out in a section of XCTest is a flake")
    func flakesOfXCTest() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.path
        let result = await #expect(processExitsWith: .success, observing: bothStreams) { [path = path as String] in
            Sandbox.enter(path)
            setenv("RETRYABLE_REPORT", path + "/report.json", 1)
            setenv("RETRYABLE_RETRY_DELAY", "0", 1)  // other tests keep the machine busy
            await runFlakyTests()
        }
        #expect(result.output.contains("a slow wait") && result.output.contains("a slow launch"))
        #expect(result.output.contains("with 2 tests skipped and 0 failures"), "\(result.output)")
    }
}

private func runFlakyTests() async -> Never {
    let tests: KeyValuePairs<String, (XCTestCase) throws -> Void> = [
        "testWait": { test in
            let test = try XCTUnwrap(test as? RetryableTestCase)
            test.flaky(.fixable(reason: "a slow wait")) {
                _ = test.waitForCheckpoint(.refreshed, timeout: 0.02) {
                    if test.retryCount > 0 { postCheckpoint(.refreshed) }
                }
            }
        },
        "testLaunch": { test in
            let test = try XCTUnwrap(test as? RetryableTestCase)
            try test.flaky(.fixable(reason: "a slow launch")) {
                let isRetry = test.retryCount > 0
                let ready: Checkpoint = isRetry ? Checkpoint("ready") : .refreshed
                _ = try launchApp("UnrulyApp", until: ready, timeout: isRetry ? 30 : 0.1)
            }
        },
    ]
    await runAsProgram(FlakyTestsOfAUser.self, tests.map { ($0, $1) })
}

private final class FlakyTestsOfAUser: RetryableTestCase {}
