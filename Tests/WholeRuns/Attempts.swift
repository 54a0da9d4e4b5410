import Foundation
import RetryReport
import RetryableTesting
import Testing

@Suite("How a retry of Swift Testing runs")
struct AttemptTests {
    @Test("each attempt has an instance of its own, which is released before the next begins")
    func instances() async throws {
        let run = try await SwiftTestingRun.of("Instances")
        #expect(run.printed == ["init 1", "test 1, count 1", "deinit 1", "init 2", "test 2, count 1", "deinit 2"])
    }

    @Test("a retry in Swift Testing follows its attempt at once, so that serialized tests stay in order")
    func serialized() async throws {
        let run = try await SwiftTestingRun.of("Serialized")
        #expect(run.printed == (1...3).flatMap { ["\($0), attempt 1", "\($0), attempt 2"] })
    }

    @Test("a suite in a retryable suite is retryable, and no test is retried twice because of that")
    func nestedSuites() async throws {
        let run = try await SwiftTestingRun.of("Outer")
        #expect(run.ending == .success)
        #expect(run.printed == ["attempt 1", "attempt 2"])
        #expect(run.report.tests.map(\.name) == ["Outer/Inner/Innermost/hasItTwice()", "Outer/Inner/inherits()"])
        #expect(run.report.tests.allSatisfy { $0.attemptedRetries == 1 && $0.outcome == .recovered })
    }

    @Test("a section in a test that has not opted in has no effect, and a line says so for each section and failure")
    func notOptedIn() async throws {
        let run = try await SwiftTestingRun.of("NotOptedIn")
        #expect(run.ending == .failure)
        #expect(run.failures.sorted() == ["Caught error: Boom", "Issue recorded: inside"])
        #expect(run.reasons.isEmpty)
        #expect(run.printed == ["retryCount 0"])
        let effect = "has no effect: the test is not in a @Suite(.retryable)"
        #expect(run.ourLines.allSatisfy { $0.hasSuffix(effect) })
        #expect(run.ourLines.count { $0.contains("Retryable: flaky at ") } == 3)
        #expect(run.ourLines.count { $0.contains("Retryable: the failure at ") } == 1)
        #expect(run.report.run == nil)
    }

    @Test("a test that calls exit(0) on a retry fails the run, and leaves a summary and a report that says so")
    func exits() async throws {
        let run = try await SwiftTestingRun.of("Ends/exitsOnRetry")
        #expect(run.ending == .failure)
        #expect(run.report.tests.map(\.outcome) == [.pending])
        #expect(run.report.run?.unfinished == 1)
        #expect(run.ourLines.contains("Retryable: 1 pending"))
        #expect(run.ourLines.contains { $0.contains("Ends/exitsOnRetry() began and did not end") })
    }

    @Test(
        "a test without the trait that calls exit(0) after another has failed does not make the run green",
        arguments: ["", "task", "detached", "queue", "thread"],
        [[:], ["OWN_MAIN": "1"], ["FAIL": "outside"]]
    )
    func plainTestExits(way: String, environment: [String: String]) async throws {
        let settings = environment.merging(["EXIT_IN": way]) { $1 }
        let run = try await SwiftTestingRun.of("PlainExits", environment: settings)
        #expect(run.ending == .failure)
        #expect(run.report.tests.map(\.outcome) == (environment["FAIL"] == nil ? [.failed] : []))
    }

    @Test(
        "a thread that exits with 0 while a run of Swift Testing that has failed ends does not make it green",
        arguments: [[:], ["OWN_MAIN": "1"]]
    )
    func exitsAsRunEnds(environment: [String: String]) async throws {
        let run = try await SwiftTestingRun.of("ExitsAsTestingEnds", environment: environment)
        #expect(run.ending == .failure)
    }

    @Test(
        "a test of Swift Testing that calls exit fails the run, whatever the code, even before anything has flaked",
        arguments: [
            ("Ends/exitsAtOnce", "Ends/exitsAtOnce()"),
            ("Ends/exitsWhenItHasFlaked", "Ends/exitsWhenItHasFlaked()"),
            ("Ends/exitsOnThread", "Ends/exitsOnThread()"),
            ("Ends/exitsFor", "Ends/exitsFor(user:) [\"ada\"]"),
            ("ExitsInInit", "ExitsInInit/test()"),
            ("ExitsInScope", "ExitsInScope"),
        ]
    )
    func exitsEarly(tests: String, names: String) async throws {
        let run = try await SwiftTestingRun.of(tests)
        #expect(run.ending == .failure)
        #expect(
            run.ourLines.first
                == "Retryable: the process exits while tests run: \(names) began and did not end"
        )
    }

    @Test("a process that is killed leaves its flaked tests in the report, pending")
    func crashes() async throws {
        let run = try await SwiftTestingRun.of("Ends/crashes")
        #expect(run.ending == .signal(SIGKILL))
        #expect(run.report.tests.map(\.name) == ["Ends/crashes()"])
        #expect(run.report.tests.map(\.outcome) == [.pending])
        #expect(run.report.run?.finishedAt == nil)
    }

    @Test(
        "a test's time limit is for all of its attempts together",
        .enabled(if: ProcessInfo.processInfo.environment["SLOW_TESTS"] == "1", "it takes a minute; set SLOW_TESTS=1")
    )
    func timeLimit() async throws {
        let run = try await SwiftTestingRun.of("Ends/takesTooLong", environment: ["MISBEHAVING_SLOW": "1"])
        #expect(run.ending == .failure)
        #expect(run.reasons == ["slow"])
        #expect(run.failures.first == "Time limit was exceeded: 60.000 seconds")
        #expect(run.report.tests.map(\.outcome) == [.failed])
        #expect(run.report.tests.first?.attempts.map(\.outcome) == [.flaked, .skipped])
    }
}

// MARK: - Programs

#if PROGRAM
    @Suite(.retryable) final class Instances {
        private let attempt = Test.retryCount + 1
        private var count = 0

        init() { print("init \(attempt)") }

        deinit { print("deinit \(attempt)") }

        @Test func areNew() {
            count += 1
            print("test \(attempt), count \(count)")
            flaky(.race) { #expect(Test.retryCount > 0) }
        }
    }

    @Suite(.retryable, .serialized) struct Serialized {
        @Test(arguments: 1...3) func inOrder(number: Int) {
            print("\(number), attempt \(Test.retryCount + 1)")
            flaky(.race) { #expect(Test.retryCount > 0) }
        }
    }

    @Suite(.retryable) enum Outer {
        @Suite struct Inner {
            @Test func inherits() {
                flaky(.race) { #expect(Test.retryCount > 0) }
            }

            @Suite(.retryable) struct Innermost {
                @Test func hasItTwice() {
                    print("attempt \(Test.retryCount + 1)")
                    flaky(.race) { #expect(Test.retryCount > 0) }
                }
            }
        }
    }

    @Suite struct NotOptedIn {
        @Test func first() { flaky(.race) { _ = Issue.record("inside") } }

        @Test func second() throws { try flaky(.fixable(reason: "")) { throw Boom() } }

        @Test func passes() async {
            await flaky(.race) { await Task.yield() }
            print("retryCount \(Test.retryCount)")
        }
    }

    @Suite(.serialized) struct PlainExits {
        @Test(.retryable) func a() {
            if ProcessInfo.processInfo.environment["FAIL"] != nil { return #expect(Bool(false)) }
            flaky(.fixable(reason: "always")) { #expect(Bool(false)) }
        }

        @Test func b() async {
            switch ProcessInfo.processInfo.environment["EXIT_IN"] {
            case "task": Task { exit(0) }
            case "detached": Task.detached { exit(0) }
            case "queue": DispatchQueue.global().async { exit(0) }
            case "thread": Thread.detachNewThread { exit(0) }
            default: exit(0)
            }
            try? await Task.sleep(for: .seconds(600))
        }
    }

    @Suite(.retryable) struct Ends {
        @Test func exitsOnRetry() {
            flaky(.race) { #expect(Test.retryCount > 0) }
            if Test.retryCount == 1 { exit(0) }
        }

        @Test func exitsAtOnce() { exit(7) }

        @Test func exitsWhenItHasFlaked() async {
            flaky(.race) { #expect(Test.retryCount > 0) }
            await Task.yield()
            exit(0)
        }

        @Test func exitsOnThread() async {
            await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in
                Thread.detachNewThread { exit(0) }
            }
        }

        @Test(arguments: ["ada"]) func exitsFor(user: String) { exit(0) }

        @Test func crashes() {
            flaky(.race) { #expect(Test.retryCount > 0) }
            if Test.retryCount == 1 { kill(getpid(), SIGKILL) }
        }

        /// Two attempts of 40 seconds.
        @Test(.timeLimit(.minutes(1)), .enabled(if: ProcessInfo.processInfo.environment["MISBEHAVING_SLOW"] == "1"))
        func takesTooLong() async throws {
            try await flaky(.notFixable(reason: "slow", maxRetryCount: 5)) {
                try await Task.sleep(nanoseconds: 40_000_000_000)
                _ = Issue.record("attempt \(Test.retryCount + 1)")
            }
        }
    }

    @Suite(.retryable) struct ExitsAsTestingEnds {
        @Test func test() {
            exitOnThreadAsRunEnds()
            #expect(Bool(false))
        }
    }

    @Suite(.retryable) struct ExitsInInit {
        init() { exit(0) }

        @Test func test() {}
    }

    @Suite(.retryable, Around { _ in exit(0) }) struct ExitsInScope {
        @Test func test() {}
    }
#endif
