import Foundation
import Retryable
import TestSupport
import Testing

@testable import AutomationTesting

/// Waits in tests of Swift Testing, in programs of their own, and in sections of both frameworks.
@Suite("Both frameworks")
struct BothFrameworksTests {
    /// Runs tests of the program as SwiftPM does.
    private func run(_ tests: String) async throws -> ChildRun {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let run = try await ChildRun.of(
            Checkout.program("WaitScenarios"),
            ["--testing-library", "swift-testing", "--filter", "^WaitScenarios\\.\(tests)\\b"],
            environment: ["TMPDIR": folder.url.path, "RETRYABLE_REPORT": folder.report.path]
        )
        // The last of them is removed by a child of the app, which may end after the tests.
        func left() throws -> [String] { try folder.names.filter { $0.hasPrefix("app-automation") } }
        for _ in 0..<500 where try !left().isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try left() == [], "left behind")
        return run
    }

    @Test("an app ends with the last reference to it, and its state with the last app that continues from it")
    func lastReference() async throws {
        let run = try await run("Waits/appEndsWithItsLastReference")
        #expect(run.ending == .success, "\(run)")
    }

    @Test(
        "a failure is one issue at the caller's line, and stops the test where an error is thrown",
        arguments: [
            ("failedLaunchStops", "User.swift:10:1", "Nobody is no executable"),
            ("failedWait", "User.swift:20:1", #"checkpoint "refreshed" was not posted within 0.01 s"#),
            ("failedStep", "User.swift:30:1", #"element "row" was not announced visible within 0.01 s"#),
            ("detachedTask", "User.swift:40:1", #"checkpoint "refreshed" was not posted within 0.01 s"#),
            ("thread", "User.swift:50:1", #"checkpoint "refreshed" was not posted within 0.01 s"#),
            ("elementOfAnEarlierTest", "User.swift:60:1", #"element "row" was not announced visible within 0.01 s"#),
        ]
    )
    func failures(test: String, place: String, message: String) async throws {
        let run = try await run("Waits/\(test)")
        let issues = (run.output + run.errorOutput).filter { $0.contains("recorded an issue") }
        #expect(run.ending == .failure, "\(run)")
        #expect(issues.count == 1, "\(run)")
        #expect(issues.first?.contains(place) == true, "\(run)")
        #expect("\(run)".contains(message), "\(run)")
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

    @Test("a wait or a launch that times out in a section of Swift Testing is a flake", arguments: ["wait", "launch"])
    func flakes(test: String) async throws {
        let run = try await run("Flaking/\(test)")
        #expect(run.ending == .success, "\(run)")
        #expect("\(run)".contains("a slow \(test)"), "\(run)")
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
            runFlakyTests()
        }
        #expect(result.output.contains("a slow wait") && result.output.contains("a slow launch"))
        #expect(result.output.contains("with 2 tests skipped and 0 failures"), "\(result.output)")
    }
}

private func runFlakyTests() -> Never {
    _ = TestScope.current
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
    exit(XCTMain([(FlakyTestsOfAUser.self, tests.map { ($0, $1) })], arguments: ["tests"]) as CInt)
}

private final class FlakyTestsOfAUser: RetryableTestCase {}
