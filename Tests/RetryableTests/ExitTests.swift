import RetryReport
import Testing

/// Rule 12: what is not concluded has not passed.
@Suite("Nothing is green that did not end")
struct ExitTests {
    @Test("a test that ends the process with success fails the run, and what it took along is said")
    func inTest() async throws {
        let run = try await run("exit in a test", expecting: .failure)
        #expect(run.cases == ["Exits.test1 skipped"])
        #expect(
            run.errorOutput.suffix(2) == [
                "Retryable: the process exits while tests run: Exits.test2 began and did not end",
                "Retryable: flaked and not retried, because the process exits: -[Exits test1]",
            ]
        )
        #expect(run.report.retries.map(\.outcome) == [.pending])
        #expect(!run.printed.contains("reached"))
    }

    @Test("so does one that does it in a retry")
    func inRetry() async throws {
        let run = try await run("exit in a retry", expecting: .failure)
        #expect(run.errorOutput.contains { $0.contains("ExitsOnRetry.test began and did not end") })
        #expect(run.report.retries.map(\.outcome) == [.pending])
    }

    @Test("and a class that does it when its tests have ended")
    func inTearDown() async throws {
        let run = try await run("exit in a class's tearDown", expecting: .failure)
        #expect(run.errorOutput.contains { $0.contains("ExitsInTearDown began and did not end") })
    }

    @Test(
        "and whatever else does it, wherever it runs",
        arguments: [
            ("exit in a class's setUp", "ExitsInSetUp"),
            ("exit in a class's setUp, before a retry", "ExitsWhenSetUpAgain"),
            ("exit in an async test", "ExitsInTask.test"),
            ("exit on another thread", "ExitsOnThread.test"),
        ]
    )
    func elsewhere(scenario: String, name: String) async throws {
        let run = try await run(scenario, expecting: .failure)
        #expect(
            run.errorOutput.contains(
                "Retryable: the process exits while tests run: \(name) began and did not end"
            )
        )
    }

    @Test("an exit code that tells of a failure stays as it is")
    func code() async throws {
        let run = try await run("exit with a code", expecting: .exitCode(7))
        #expect(run.errorOutput.contains { $0.contains("ExitsWithCode.test began and did not end") })
    }

    @Test("a process that a test forks exits as it likes")
    func child() async throws {
        let run = try await run("exit in a child")
        #expect(run.cases == ["ForksAndExits.test passed"])
        #expect(run.errorOutput.isEmpty)
    }

    @Test("what is still pending when the outermost suite ends has failed")
    func neverConcluded() async throws {
        let run = try await run("never concluded", expecting: .failure)
        #expect(
            run.errorOutput.first
                == "Retryable: -[NeverConcluded test] flaked, and the run ends without a retry of it: it has failed"
        )
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }
}
