import RetryReport
import Testing

/// The rules of what a failure becomes, each seen in a whole run. The report, the output and the exit code are compared
/// together, because a rule that holds in one of them only does not hold.
@Suite("What a failure becomes")
struct RuleTests {
    // MARK: 1

    @Test("1: a failure inside a section is a flake, and the test that recovers passes the run")
    func flake() async throws {
        let run = try await run("flakes once")
        #expect(
            run.cases == [
                "FlakesOnce.testFlakes skipped", "FlakesOnce.testPasses passed", "FlakesOnce.testFlakes passed",
            ]
        )
        #expect(run.errors.isEmpty)
        #expect(run.skips.count == 1)
        #expect(run.skips.first?.contains("too early; reason: a race (fixable); retry 1 of 1 follows") == true)
        let retry = try #require(run.report.retries.first)
        #expect(run.report.retries.count == 1)
        #expect(retry.name == "-[FlakesOnce testFlakes]")
        #expect(retry.module == "XCTestScenarios")
        #expect(retry.maxRetriesAllowed == 1)
        #expect(retry.attemptedRetries == 1)
        #expect(retry.reason == "a race")
        #expect(retry.fixable)
        #expect(retry.outcome == .recovered)
        #expect(retry.attempts.map(\.number) == [1, 2])
        #expect(retry.attempts.map(\.outcome) == [.flaked, .passed])
        #expect(retry.file?.hasSuffix("Fixtures/Scenarios/XCTest/Sections.swift") == true)
    }

    @Test("1: of nested sections, the innermost with retries left has the flake")
    func nested() async throws {
        let run = try await run("nested")
        #expect(run.cases == ["Nested.testNested skipped", "Nested.testNested skipped", "Nested.testNested passed"])
        #expect(run.skips.map { $0.contains("inner") } == [true, false])
        #expect(run.skips.map { $0.contains("outer") } == [false, true])
        #expect(run.report.retries.map(\.reason) == ["outer"])
        #expect(run.report.retries.map(\.attemptedRetries) == [2])
    }

    @Test("1: a section may hold only what matches; that stands in the report")
    func matching() async throws {
        let run = try await run("matching")
        #expect(run.errors.isEmpty)
        #expect(run.report.retries.map(\.outcome) == [.recovered, .recovered])
        #expect(run.report.retries.map(\.matching) == ["Boom", "timed out"])
    }

    @Test("1: what does not match is real")
    func notMatching() async throws {
        let run = try await run("not matching", expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.report.retries.isEmpty)
    }

    // MARK: 2

    @Test("2: a test whose section always fails is retried as often as its mark allows, and fails the run")
    func usedUp() async throws {
        let run = try await run("never passes", expecting: .failure)
        #expect(
            run.cases == [
                "NeverPasses.testFails skipped", "NeverPasses.testFails skipped", "NeverPasses.testFails failed",
            ]
        )
        #expect(run.errors == ["NeverPasses.testFails : failed - attempt 3"])
        let retry = try #require(run.report.retries.first)
        #expect(retry.outcome == .failed)
        #expect(retry.attemptedRetries == 2)
        #expect(retry.attempts.map(\.outcome) == [.flaked, .flaked, .failed])
        #expect(retry.attempts.map { $0.failures.map(\.message) } == (1...3).map { ["failed - attempt \($0)"] })
    }

    @Test("2: a failure outside a section fails at once, is never run twice and never reported")
    func outside() async throws {
        let run = try await run("fails outside", expecting: .failure)
        #expect(run.cases == ["FailsOutside.testFails failed"])
        #expect(run.errors == ["FailsOutside.testFails : failed - outside"])
        #expect(run.report.retries.isEmpty)
        #expect(run.errorOutput.isEmpty)
    }

    @Test("2: a section that allows no retry fails as if it were not marked")
    func noRetries() async throws {
        let run = try await run("retries used up", expecting: .failure)
        #expect(run.errors == ["UsesUp.testUsesUp : failed - inside"])
        #expect(run.report.retries.isEmpty)
    }

    @Test("2: a test that no suite runs fails at once, because nothing comes after which to retry it")
    func byHand() async throws {
        let run = try await run("run by hand")
        #expect(run.printed == ["by hand: 1 failures"])
        #expect(run.cases == ["NeverPasses.testFails failed", "RunsAnotherByHand.test passed"])
        #expect(run.report.retries.isEmpty)
    }

    // MARK: 3

    @Test(
        "3: failures on other threads and in tasks of the section are flakes",
        arguments: [
            "child task", "dispatch queue", "waiter", "waiter in async test", "section on a queue",
            "many threads", "main actor",
        ]
    )
    func otherThreads(scenario: String) async throws {
        let run = try await run(scenario)
        #expect(run.errors.isEmpty)
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(run.report.retries.first?.attempts.map(\.outcome) == [.flaked, .passed])
    }

    @Test("3: of 200 failures on many threads none is lost")
    func manyFailures() async throws {
        let run = try await run("many threads")
        #expect(run.report.retries.first?.attempts.first?.failures.count == 200)
    }

    @Test(
        "3: a failure in a task that belongs to no section is real, while a section is open or not",
        arguments: ["detached task", "task of no section", "task outlives section"]
    )
    func otherTasks(scenario: String) async throws {
        let run = try await run(scenario, expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.cases.count == 1)
        #expect(run.report.retries.isEmpty)
    }

    @Test(
        "3: a failure is not inside of a section that only some other task or queue has open",
        arguments: [
            ("section of a task, beside a waiter", "Asynchronous wait failed"),
            ("section of a child task, beside a waiter", "Asynchronous wait failed"),
            ("section of a queue, beside the test", "in the test itself"),
        ]
    )
    func sectionsElsewhere(scenario: String, message: String) async throws {
        let run = try await run(scenario, expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains(message) == true)
        #expect(run.report.retries.isEmpty)
    }

    // MARK: 4

    @Test(
        "4: a section is closed however it was left, and so it is in tearDown and in teardown blocks",
        arguments: ["after the section", "cancelled", "tearDown", "teardown block"]
    )
    func closed(scenario: String) async throws {
        let run = try await run(scenario, expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.cases.count == 1)
        #expect(run.report.retries.isEmpty)
    }

    @Test("4: a section in setUp works like any other")
    func setUp() async throws {
        let run = try await run("section in setUp")
        #expect(run.cases == ["SectionInSetUp.test skipped", "SectionInSetUp.test passed"])
        #expect(run.printed == ["body of attempt 2"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(
            run.errorOutput.contains {
                $0.contains("SectionInSetUp.test: flaked") && $0.contains("retry 1 of 1 follows")
            }
        )
    }

    @Test("4: a flake in tearDown comes too late to show as skipped, and is said on standard error")
    func tearDown() async throws {
        let run = try await run("section in tearDown")
        #expect(run.cases == ["SectionInTearDown.test passed", "SectionInTearDown.test passed"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
        #expect(
            run.errorOutput.contains {
                $0.contains("SectionInTearDown.test: flaked") && $0.contains("retry 1 of 1 follows")
            }
        )
    }

    // MARK: 5

    @Test("5: an error that leaves a section is a flake, and the very error is rethrown")
    func errorLeaves() async throws {
        let run = try await run("error leaves")
        #expect(run.printed == ["the very error: true", "reached on attempt 2"])
        #expect(run.cases == ["ErrorLeaves.test skipped", "ErrorLeaves.test passed"])
        let failures = try #require(run.report.retries.first?.attempts.first?.failures)
        #expect(failures.map(\.message) == ["threw error \"a box\""])
        #expect(failures.map(\.kind) == [.error])
    }

    @Test("5: so it is in an async test")
    func errorLeavesAsync() async throws {
        let run = try await run("error leaves async")
        #expect(run.cases == ["ErrorLeavesAsync.test skipped", "ErrorLeavesAsync.test passed"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("5: an error that the test catches is nobody's failure")
    func errorCaught() async throws {
        let run = try await run("error caught")
        #expect(run.cases == ["ErrorCaught.test passed"])
        #expect(run.report.retries.isEmpty)
    }

    @Test("5: an equal error thrown outside is real", arguments: ["equal error thrown outside", "error from outside"])
    func errorOutside(scenario: String) async throws {
        let run = try await run(scenario, expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.hasSuffix("threw error \"Boom\"") == true)
        #expect(run.report.retries.isEmpty)
    }

    @Test("5: an error that is logged on its way is still the one that left the section")
    func errorRethrown() async throws {
        let run = try await run("error logged and rethrown")
        #expect(run.printed == ["logged: Boom"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("5: an error that leaves two sections is a flake of the innermost with retries left")
    func errorLeavesTwo() async throws {
        let run = try await run("error leaves two sections")
        #expect(
            run.cases == ["ErrorLeavesTwo.test skipped", "ErrorLeavesTwo.test skipped", "ErrorLeavesTwo.test passed"]
        )
        #expect(run.skips.map { $0.contains("inner") } == [true, false])
        #expect(run.report.retries.map(\.reason) == ["outer"])
    }

    @Test("5: an error from setUp that left no section is real, and the test method is not run")
    func throwingSetUp() async throws {
        let run = try await run("throwing setUp", expecting: .failure)
        #expect(run.errors == ["ThrowingSetUp.test : threw error \"Boom\""])
        #expect(run.report.retries.isEmpty)
    }

    @Test(
        "5: an error that only reads like one that left a section is real",
        arguments: [
            ("second call in setUp", "threw error \"Boom\""),
            ("second call in an async setUp", "threw error \"Boom\""),
            ("second call in tearDown", "threw error \"Boom\""),
            ("assertion above a section that threw the same", "outside every section"),
        ]
    )
    func readsAlike(scenario: String, message: String) async throws {
        let run = try await run(scenario, expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains(message) == true)
        #expect(run.report.retries.isEmpty)
    }

    @Test("5: an error that leaves a section in an async setUp is the section's")
    func asyncSetUp() async throws {
        let run = try await run("error in an async setUp")
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("5: in an outer section, it is the outer section's")
    func readsAlikeInOuter() async throws {
        let run = try await run("error in an assertion, in an outer section")
        #expect(run.errors.isEmpty)
        #expect(run.report.retries.map(\.reason) == ["outer"])
    }

    @Test("5: an error that left a section into an assertion is also inside of those around the assertion")
    func innerUsedUp() async throws {
        let run = try await run("inner section used up, in an assertion")
        #expect(run.skips.map { $0.contains("inner") } == [true, false])
        #expect(run.report.retries.map(\.reason) == ["outer"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("5: an error is known by its text though a subclass adds words to it")
    func addsWords() async throws {
        let run = try await run("words added to an error in setUp")
        #expect(run.errors.isEmpty)
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("5: what stops a test is not known by its words")
    func wordsOfAStop() async throws {
        let run = try await run("error with the words of a stop", expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

    // MARK: 6

    @Test("6: a skip inside a section skips")
    func skip() async throws {
        let run = try await run("skip in section")
        #expect(run.cases == ["SkipInSection.test skipped"])
        #expect(run.skips == ["not today"])
        #expect(run.report.retries.isEmpty)
    }

    @Test("6: a flake stands, though the attempt then skips")
    func flakeThenSkip() async throws {
        let run = try await run("flake then skip")
        #expect(run.cases == ["FlakeThenSkip.test skipped", "FlakeThenSkip.test passed"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test(
        "6: a retry that skips has not passed",
        arguments: [("retry skips", "failed - the flake"), ("retry skips in setUp", "threw error \"Boom\"")]
    )
    func retrySkips(scenario: String, message: String) async throws {
        let run = try await run(scenario, expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains(message) == true)
        #expect(run.cases.last?.hasSuffix("failed") == true)
        #expect(run.report.retries.map(\.outcome) == [.failed])
        #expect(run.report.retries.first?.attempts.map(\.outcome) == [.flaked, .skipped])
    }

    // MARK: 7

    @Test("7: XCTUnwrap is one flake, not two")
    func unwrap() async throws {
        let run = try await run("unwrap")
        #expect(run.cases == ["Unwrap.test skipped", "Unwrap.test passed"])
        #expect(run.report.retries.first?.attempts.first?.failures.count == 1)
    }

    @Test("7: XCTUnwrap outside a section is one real failure")
    func unwrapOutside() async throws {
        let run = try await run("unwrap outside", expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.cases == ["UnwrapOutside.test failed"])
    }

    // MARK: 8

    @Test("8: an attempt that flaked and then failed for real has failed, is not retried, and is accounted for")
    func flakeThenReal() async throws {
        let run = try await run("flake then real", expecting: .failure)
        #expect(run.cases == ["FlakeThenReal.test failed"])
        #expect(run.errors == ["FlakeThenReal.test : failed - outside"])
        #expect(run.skips.isEmpty, "a retry was announced that does not follow")
        let retry = try #require(run.report.retries.first)
        #expect(retry.outcome == .failed)
        #expect(retry.attemptedRetries == 0)
        #expect(retry.attempts.first?.failures.map(\.message) == ["failed - inside", "failed - outside"])
        #expect(run.errorOutput.contains { $0.contains("failed - inside") && $0.contains("not retried") })
    }

    @Test("8: after a real failure nothing is suppressed, because no retry follows")
    func realThenFlake() async throws {
        let run = try await run("real then flake", expecting: .failure)
        #expect(run.cases == ["RealThenFlake.test failed"])
        #expect(run.errors == ["RealThenFlake.test : failed - outside", "RealThenFlake.test : failed - inside"])
        #expect(run.report.retries.isEmpty)
    }

    // MARK: 9

    @Test("9: with continueAfterFailure = false a section that can throw stops the test when it has flaked")
    func stops() async throws {
        let run = try await run("stops")
        #expect(run.printed == ["reached on attempt 2"])
        #expect(run.cases == ["Stops.test skipped", "Stops.test passed"])
        #expect(run.report.retries.first?.attempts.first?.failures.count == 1)
    }

    @Test("9: one that cannot throw is followed by the next that can")
    func stopsAtNext() async throws {
        let run = try await run("stops at the next section")
        #expect(run.printed == ["reached on attempt 2"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("9: without it the test goes on")
    func goesOn() async throws {
        let run = try await run("goes on")
        #expect(run.printed == ["reached on attempt 1", "reached on attempt 2"])
    }

    @Test("9: what a test records that should have stopped is aftermath of the flake")
    func aftermath() async throws {
        let run = try await run("aftermath")
        #expect(run.cases == ["Aftermath.test skipped", "Aftermath.test passed"])
        #expect(run.report.retries.first?.attempts.first?.failures.map(\.isAftermath) == [false, true])
    }

    @Test("9: real failures end nothing, and do not end the process")
    func stopsOnReal() async throws {
        let run = try await run("stops on real", expecting: .failure)
        #expect(run.errors == ["StopsOnReal.test : failed - one", "StopsOnReal.test : failed - two"])
    }

    @Test("9: an error that flaked explains the expectations nobody waited for")
    func unwaited() async throws {
        let run = try await run("unwaited expectation")
        #expect(run.cases == ["Unwaited.test skipped", "Unwaited.test passed"])
        #expect(run.report.retries.first?.attempts.first?.failures.map(\.isAftermath) == [false, true])
    }

    @Test("9: where nothing cut the test short, they are a real failure")
    func unwaitedNotCut() async throws {
        let run = try await run("unwaited expectation, not cut", expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

    // MARK: 10

    @Test(
        "10: a bad mark is a real failure at its line, whether or not the section fails",
        arguments: [
            ("empty reason", "the reason is empty"), ("blank reason", "the reason is empty"),
            ("negative count", "maxRetryCount is -1"), ("empty matching", "matching is empty"),
        ]
    )
    func badMark(scenario: String, message: String) async throws {
        let run = try await run(scenario, expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains(message) == true)
        #expect(run.output.contains { $0.contains("Marks.swift:") && $0.contains(": error: ") })
        #expect(run.report.retries.isEmpty)
    }

    @Test("10: the section under a bad mark fails as if it were not marked")
    func badMarkFailing() async throws {
        let run = try await run("bad mark, failing section", expecting: .failure)
        #expect(run.errors.count == 2)
        #expect(run.cases == ["BadMarkFailing.test failed"])
    }

    // MARK: 11

    @Test("11: a retry that throws what only an earlier attempt has recorded fails with it")
    func earlierAttempt() async throws {
        let run = try await run("error of an earlier attempt", expecting: .failure)
        #expect(run.cases == ["SharedFixture.test skipped", "SharedFixture.test failed"])
        #expect(run.errors == ["SharedFixture.test : threw error \"XCTestErrorWhileUnwrappingOptional()\""])
        #expect(run.report.retries.map(\.outcome) == [.failed])
        #expect(run.report.retries.first?.attempts.map(\.outcome) == [.flaked, .failed])
    }

    @Test("11: so it does where a task has recorded it")
    func earlierTask() async throws {
        let run = try await run("error of an earlier attempt's task", expecting: .failure)
        #expect(run.cases == ["SharedTask.test skipped", "SharedTask.test failed"])
        #expect(run.errors == ["SharedTask.test : threw error \"XCTestErrorWhileUnwrappingOptional()\""])
    }

    @Test("11: it is a flake, like any error that leaves a section with retries left")
    func earlierAttemptOften() async throws {
        let run = try await run("error of an earlier attempt, with retries left", expecting: .failure)
        #expect(run.cases.map { $0.split(separator: " ").last } == ["skipped", "skipped", "failed"])
        #expect(run.report.retries.first?.attempts.map(\.outcome) == [.flaked, .flaked, .failed])
    }

    @Test("11: so does a test without a mark that throws what only an earlier test has recorded")
    func earlierTest() async throws {
        let run = try await run("error of an earlier test", expecting: .failure)
        #expect(run.cases == ["SharedByTests.test1 failed", "SharedByTests.test2 failed"])
        #expect(run.errors.count == 2)
        #expect(run.report.retries.isEmpty)
    }
}
