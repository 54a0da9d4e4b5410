import RetryReport
import Testing

/// What becomes of errors in a step, and of steps that suspend.
@Suite("What a step does with errors")
struct StepErrorTests {
    @Test("an error of the action is a try without success, and its condition is not asked")
    func once() async throws {
        let run = try await run("action throws once")
        #expect(run.printed == ["condition of try 2", "retries: 1"])
        #expect(run.cases == ["Passes.test passed"])
        #expect(run.errorOutput.first?.hasSuffix("Retrying. Error: Boom") == true)
    }

    @Test(
        "the last error is part of the failure",
        arguments: [
            ("action always throws", "Launch did not succeed in 4 tries; last error, thrown by try 4: Boom"),
            ("condition always throws", "Action did not succeed in 2 tries; last error, thrown by try 2: Boom"),
            ("only the first try throws", "Action did not succeed in 2 tries; last error, thrown by try 1: Boom"),
        ]
    )
    func always(scenario: String, message: String) async throws {
        let run = try await run(scenario, expecting: .failure)
        #expect(run.errors == ["Passes.test : failed - autoRetry: \(message)"])
    }

    @Test("an error of the reset steps uses up the retry that they were for")
    func reset() async throws {
        let run = try await run("reset throws once")
        #expect(run.printed == ["action", "reset", "reset", "action"])
        #expect(run.report.steps.map(\.retries) == [2])
    }

    @Test("a skip passes through, and the retries before it are in the report")
    func skip() async throws {
        let run = try await run("step skips")
        #expect(run.cases == ["Passes.test skipped"])
        #expect(run.skips == ["not today"])
        #expect(run.report.steps.map(\.retries) == [1])
        #expect(run.report.steps.map(\.succeeded) == [false])
    }

    @Test("a cancellation passes through")
    func cancellation() async throws {
        let run = try await run("step throws a cancellation", expecting: .failure)
        #expect(run.errors == ["Passes.test : threw error \"CancellationError()\""])
        #expect(run.report.steps.isEmpty)
    }

    @Test("a section that stops the test is not tried again")
    func stop() async throws {
        let run = try await run("section that stops in a step")
        #expect(run.printed == ["action", "action"])
        #expect(run.cases == ["Passes.test skipped", "Passes.test passed"])
        #expect(run.report.steps.isEmpty)
    }

    @Test("an error that a step caught is nobody's failure, whatever section it had left")
    func caught() async throws {
        let run = try await run("error caught by a step has left a section")
        #expect(run.cases == ["Passes.test passed"])
        #expect(run.report.retries.isEmpty)
        #expect(run.report.steps.map(\.retries) == [1])
    }

    // MARK: - Steps that suspend

    @Test("steps that suspend mean the same; those that do not need no await in an async test")
    func suspending() async throws {
        let run = try await run("async steps")
        #expect(
            run.printed == [
                "action", "condition", "reset", "action", "condition", "retries: 1",
                "reset", "condition", "condition",
                "action", "action",
            ]
        )
        #expect(run.cases.allSatisfy { $0.hasSuffix("passed") })
        #expect(run.cases.count == 3)
    }

    @Test("one that suspends is exhausted like any other")
    func suspendingExhausted() async throws {
        let run = try await run("async step exhausted", expecting: .failure)
        #expect(run.printed == ["action", "reset", "action"])
        #expect(
            run.errors == [
                "AsyncSteps.test : failed - autoRetry: "
                    + "Action did not succeed in 2 tries; last error, thrown by try 2: Boom"
            ]
        )
    }

    @Test(
        "once its task is cancelled no further try is made, and the step has failed",
        arguments: [
            ("cancelled step", ["action", "condition", "retries: 0"]),
            ("cancelled throwing step", ["action", "retries: 0"]),
            ("cancelled throwing step that waits", ["action", "retries: 0"]),
        ]
    )
    func cancelled(scenario: String, printed: [String]) async throws {
        let run = try await run(scenario, expecting: .failure)
        #expect(run.printed == printed)
        #expect(
            run.errors == [
                "AsyncSteps.test : failed - autoRetry: Action did not succeed in 1 try, and its task was cancelled"
            ]
        )
    }

    @Test("on the main actor, its closures run there")
    func mainActor() async throws {
        let run = try await run("steps on the main actor")
        #expect(run.printed == ["tries: 2"])
        #expect(run.cases == ["MainActorSteps.test passed"])
    }
}
