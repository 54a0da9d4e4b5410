import Foundation
import RetryReport
import Retryable
import Synchronization
import TestSupport
import Testing

/// Runs in which a test ends its process, or never ends: what a person and a CI see of them.
@Suite("A crash or a hang is a failure like any other")
struct SupervisionTests: RowTable {
    static var rows: [Row] {
        Row(
            "an attempt that flaked and then crashed in tearDown has failed, and is one attempt in the report",
            [.failed],
            failures: ["crashed with signal 4 (SIGILL)"],
            environment: supervise
        )
        .xctest { test in
            test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
        } tearDown: { _ in
            fatalError("on purpose")
        }
        Row(
            "an attempt that flaked and then crashed outside of the section has failed, and its flake is in the report",
            [.failed],
            failures: ["crashed with signal 4 (SIGILL)"],
            environment: supervise
        )
        .xctest { test in
            test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
            fatalError("on purpose")
        } expecting: { run in
            #expect(run.report.tests.map(\.mark.reason) == ["a race"])
            #expect(run.report.marks?.map(\.flakes) == [1])
            let said = "XCTAssertGreaterThan failed"
            #expect(run.errorOutput.contains { $0.contains("flaked at ") && $0.contains(said) })
        }
        Row(
            "a crash beyond RETRYABLE_MAX_FLAKES is a real failure, in the output and in the report",
            [.flaked, .failed],
            failures: [
                "crashed with signal 4 (SIGILL) (in a flaky section, but not retried: RETRYABLE_MAX_FLAKES=1 is reached)"
            ],
            environment: supervise.merging(["RETRYABLE_MAX_FLAKES": "1"]) { $1 }
        )
        .xctest { test in
            test.flaky(.notFixable(reason: "a race", maxRetryCount: 2)) {
                XCTAssertGreaterThan(test.retryCount, 0)
                if test.retryCount == 1 { fatalError("on purpose") }
            }
        }
        Row(
            "an attempt that flakes and then crashes counts once towards RETRYABLE_MAX_FLAKES",
            [.flaked, .passed],
            environment: supervise.merging(["RETRYABLE_MAX_FLAKES": "1"]) { $1 }
        )
        .xctest { test in
            test.flaky(.race) {
                XCTAssertGreaterThan(test.retryCount, 0)
                if test.retryCount == 0 { fatalError("on purpose") }
            }
        }
        Row(
            "a step that needed a retry before its process crashed is in the report once",
            [.flaked, .passed],
            environment: supervise
        )
        .xctest { test in
            var tries = 0
            if test.retryCount == 0 {
                test.autoRetry(mainAction: { tries += 1 }, successCondition: { tries == 2 })
            }
            test.flaky(.race) { if test.retryCount == 0 { fatalError("on purpose") } }
        } expecting: { run in
            #expect(run.report.steps.map(\.retries) == [1])
        }
        Row("a crash is noticed even in a process that ignores SIGCHLD", [.flaked, .passed], environment: supervise)
            .xctest(CrashWithoutChildren.self)
        Row(
            "a test that fails again and again in its section, and neither ends nor leaves it, has hung",
            [.flaked, .passed],
            environment: limited
        )
        .xctest { test in
            test.flaky(.race) {
                for _ in 0..<40 where test.retryCount == 0 {
                    XCTFail("not yet")
                    usleep(200_000)
                }
            }
        } expecting: { run in
            #expect(run.errorOutput.contains { $0.contains("hung for 2 s") })
        }
        Row("the time limit does not count the time for which a process is stopped", environment: limited)
            .xctest { _ in
                let other = Process()
                other.executableURL = URL(fileURLWithPath: "/bin/sh")
                other.arguments = ["-c", "sleep 4; kill -CONT \(getpid())"]
                try other.run()
                kill(getpid(), SIGSTOP)
                other.waitUntilExit()
            }
    }

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    /// What becomes of a death in one place, whatever way the test died.
    struct Place: Sendable {
        var name: String
        /// How `test2` of the class ended, attempt by attempt; the first stands between `test1` and `test3`.
        var attempts: [String]
        var total: String
        var outcome: TestRecord.Outcome?
        /// How often the class is set up.
        var fixtures = 2

        var hasFailed: Bool { !total.hasSuffix("0 failures (0 unexpected)") }

        static let section = Place(
            name: "in a section",
            attempts: ["skipped", "passed"],
            total: "5 tests, with 1 test skipped and 0 failures (0 unexpected)",
            outcome: .recovered,
            fixtures: 3
        )
        static let outside = Place(name: "outside", attempts: ["failed"], total: failed)
        static let others = [
            Place(
                name: "in a section, always",
                attempts: ["skipped", "skipped", "failed"],
                total: "6 tests, with 2 tests skipped and 1 failure (0 unexpected)",
                outcome: .failed,
                fixtures: 4
            ),
            Place(name: "in an XCTestCase", attempts: ["failed"], total: failed, fixtures: 0),
            Place(name: "in setUp", attempts: ["failed"], total: failed),
            Place(name: "in tearDown", attempts: ["failed"], total: failed),
            Place(name: "in a teardown block", attempts: ["failed"], total: failed),
            Place(name: "after a failure", attempts: ["failed"], total: "4 tests, with 2 failures (0 unexpected)"),
            Place(name: "in class tearDown", attempts: ["passed"], total: failed, fixtures: 1),
        ]
        private static let failed = "4 tests, with 1 failure (0 unexpected)"
    }

    /// The ways to crash and to hang, and what is said of each.
    static let ways = [
        ("trap", "crashed with signal 4 (SIGILL)"), ("overflow", "crashed with signal 11 (SIGSEGV)"),
        ("sigkill", "crashed with signal 9 (SIGKILL)"), ("exit0", "called exit(0)"), ("exit3", "called exit(3)"),
        ("quickExit", "called exit(0)"), ("thread", "crashed with signal 4 (SIGILL)"),
        ("lock", hung), ("sleep", hung), ("await", hung), ("child", hung),
    ]
    private static let hung = "hung for 2 s"

    @Test(
        "each way to crash or to hang is a flake in a section, and a real failure outside",
        arguments: ways,
        [Place.section, .outside]
    )
    func death(way: (name: String, words: String), place: Place) async throws {
        try await check(way.name, place, words: way.words)
    }

    @Test(
        "a crash or a hang is one failure, wherever in its class it happens",
        arguments: [("trap", "crashed with signal 4 (SIGILL)"), ("sleep", hung)],
        Place.others
    )
    func place(way: (name: String, words: String), place: Place) async throws {
        try await check(way.name, place, words: way.words)
    }

    @Test("a crash or a hang in a class's setUp fails each test of the class", arguments: ["trap", "sleep"])
    func classSetUp(way: String) async throws {
        let run = try await run(Dies.self, with: [way, "in class setUp"], expecting: .failure, environment: limited)
        let own = ["Dying.test1 failed", "Dying.test2 failed", "Dying.test3 failed"]
        #expect(run.cases == own + ["AfterDying.test passed"])
        #expect(run.output.last == "\t Executed 4 tests, with 3 failures (0 unexpected)")
    }

    @Test("a test that flaked before another crashed, or flakes after that, is retried", arguments: [true, false])
    func flake(isBefore: Bool) async throws {
        let tests = isBefore ? ["flakes", "crashes"] : ["crashes", "flakes"]
        let run = try await run(Troubled.self, with: tests, expecting: .failure, environment: supervise)
        let (flaky, dying) = isBefore ? (1, 2) : (2, 1)
        let first = ["Troubled.test\(flaky) skipped", "Troubled.test\(dying) failed"]
        #expect(run.cases == (isBefore ? first : first.reversed()) + ["Troubled.test\(flaky) passed"])
        #expect(run.output.last == "\t Executed 3 tests, with 1 test skipped and 1 failure (0 unexpected)")
        #expect(run.report.tests.map(\.outcome) == [.recovered])
        #expect(run.report.tests.map(\.attemptedRetries) == [1])
        #expect(run.report.marks?.map { [$0.attempts, $0.flakes] } == [[2, 1]])
        #expect(run.report.run?.finishedAt != nil)
        let again = run.errorOutput.count { $0.hasSuffix(", where Troubled is set up again") }
        #expect(again == (isBefore ? 0 : 1))
    }

    @Test("a crash in an XCTestCase is a failure, also in the process that follows a crash in a section")
    func plain() async throws {
        let run = try await run(PlainAfterFlake.self, expecting: .failure, environment: supervise)
        #expect(run.cases == ["PlainAfterFlake.test skipped", "PlainDying.test failed", "PlainAfterFlake.test passed"])
        #expect(run.report.tests.map(\.outcome) == [.recovered])
    }

    @Test("a test that flaked before another crashed is retried even if the report cannot be written")
    func withoutReport() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let settings = supervise.merging(["RETRYABLE_REPORT": folder.file("another.json").path]) { $1 }
        let tests = ["flakesWithoutReport", "crashes"]
        let run = try await run(Troubled.self, with: tests, expecting: .failure, environment: settings)
        #expect(run.cases == ["Troubled.test1 skipped", "Troubled.test2 failed", "Troubled.test1 passed"])
        #expect(run.output.last == "\t Executed 3 tests, with 1 test skipped and 1 failure (0 unexpected)")
        let lost = "reason: not known, as the report could not be written"
        let line = run.errorOutput.first { $0.hasPrefix("Retryable: -[Troubled test1] passed on attempt 2 of 2; ") }
        #expect(line?.contains(lost) == true)
        #expect(run.errorOutput.contains { $0.contains("another.json cannot be read: Is a directory") })
    }

    @Test(
        "a test that hangs while its flake in tearDown is written to the report has failed, and the report has the flake"
    )
    func whileRecorded() async throws {
        let run = try await run(HoldsReport.self, expecting: .failure, environment: limited)
        #expect(run.errors == ["HoldsReport.test : hung for 2 s"])
        #expect(run.report.tests.map(\.outcome) == [.failed])
        #expect(run.report.tests.map(\.mark.reason) == ["a race"])
        #expect(run.report.marks?.map { [$0.attempts, $0.flakes] } == [[1, 1]])
    }

    @Test("a failing test that an observer adds to a suite fails the run, even if a crash in that run recovers")
    func added() async throws {
        let run = try await run(Extended.self, expecting: .failure, environment: supervise)
        let first = ["Extended.test passed", "Extended.testAdded failed"]
        #expect(run.cases == first + ["TroubledToo.test skipped", "TroubledToo.test passed"])
        #expect(run.output.last == "\t Executed 4 tests, with 1 test skipped and 1 failure (0 unexpected)")
    }

    @Test(
        "observers get the end of each suite and of the bundle once, also after a crash, and can then fail the run",
        arguments: [(["crashesOnce", "flakes"], 0), (["crashesOnce", "crashesOnce"], 0), (["flakes", "flakes"], 0)]
            + [(["crashesOnce", "flakes"], 1)] as [([String], Int32)]
    )
    func observers(tests: [String], exitCode: Int32) async throws {
        let settings = supervise.merging(["EXIT_CODE": "\(exitCode)"]) { $1 }
        let run = try await run(Observed.self, with: tests, expecting: .exitCode(exitCode), environment: settings)
        let ends = run.printed.filter { $0.hasPrefix("end of ") }
        let suites = ["Troubled", "TroubledToo", "Troubled", "Retries", "All tests"].map { "end of suite \($0)" }
        #expect(ends.filter { !$0.hasSuffix(".xctest") } == suites + ["end of bundle"])
        #expect(ends.count { $0.hasSuffix(".xctest") } == 1)
        #expect(run.report.tests.count == tests.count)
        #expect(run.report.tests.allSatisfy { $0.outcome == .recovered })
        #expect(run.report.run?.finishedAt != nil)
        #expect(run.errorOutput.count { $0.hasSuffix(" flaky") } == 1)
    }

    @Test("a class that hangs when it is set up again fails the next of its tests")
    func setUpAgain() async throws {
        let run = try await run(SetUpOnce.self, expecting: .failure, environment: limited)
        #expect(run.cases == (1...3).map { "SetUpOnce.test\($0) failed" })
    }

    @Test("a class whose tearDown crashes fails in its own suite, once for each crash")
    func tornInRounds() async throws {
        let run = try await run(TornInRounds.self, expecting: .failure, environment: supervise)
        let totals = run.output.filter { $0.hasPrefix("\t Executed") }.suffix(4)
        #expect(
            totals == [
                "\t Executed 2 tests, with 1 test skipped and 1 failure (0 unexpected)",
                "\t Executed 1 test, with 1 failure (0 unexpected)",
                "\t Executed 3 tests, with 1 test skipped and 2 failures (0 unexpected)",
                "\t Executed 5 tests, with 3 tests skipped and 2 failures (0 unexpected)",
            ]
        )
        #expect(run.report.tests.map(\.outcome) == [.recovered, .recovered])
    }

    @Test("a crash on a retry changes neither the order of the rounds nor their totals")
    func onRetry() async throws {
        let run = try await run(CrashOnRetry.self, environment: supervise)
        let rounds = [
            ["Troubled.test1 skipped", "Troubled.test2 skipped", "Troubled.test3 skipped", "TroubledToo.test skipped"],
            ["Troubled.test1 passed", "Troubled.test2 skipped", "Troubled.test3 skipped", "TroubledToo.test passed"],
            ["Troubled.test2 passed", "Troubled.test3 passed"],
        ]
        #expect(run.cases == rounds.flatMap(\.self))
        #expect(Array(run.suites.suffix(4)) == ["Retries", "Troubled", "TroubledToo", "Troubled"])
        let totals = run.output.filter { $0.hasPrefix("\t Executed") }.suffix(5)
        #expect(
            totals == [
                "\t Executed 3 tests, with 2 tests skipped and 0 failures (0 unexpected)",
                "\t Executed 1 test, with 0 failures (0 unexpected)",
                "\t Executed 2 tests, with 0 failures (0 unexpected)",
                "\t Executed 6 tests, with 2 tests skipped and 0 failures (0 unexpected)",
                "\t Executed 10 tests, with 6 tests skipped and 0 failures (0 unexpected)",
            ]
        )
        #expect(run.report.tests.map(\.outcome) == [.recovered, .recovered, .recovered, .recovered])
        #expect(run.report.tests.map(\.attemptedRetries) == [1, 2, 2, 1])
    }

    @Test("in a run of 150 tests with 10 crashes, each test runs once, and those that crashed once more")
    func many() async throws {
        let run = try await run(ManyCrashes.self, environment: supervise)
        let dying = (1...150).filter { $0 % 15 == 0 }
        let first = (1...150).map { "Troubled.test\($0) \(dying.contains($0) ? "skipped" : "passed")" }
        #expect(run.cases == first + dying.map { "Troubled.test\($0) passed" })
        #expect(run.output.last == "\t Executed 160 tests, with 10 tests skipped and 0 failures (0 unexpected)")
        #expect(run.report.tests.count { $0.outcome == .recovered } == 10)
    }

    @Test(
        "a supervised run without a crash or a hang has the output and the report of any other run",
        arguments: [First.self, NeverPasses.self, Plain.self] as [any Program.Type]
    )
    func nothing(program: any Program.Type) async throws {
        let ending = program == First.self ? ChildRun.Ending.success : .failure
        let plain = try await run(program, expecting: ending)
        let supervised = try await run(program, expecting: ending, environment: ["RETRYABLE_TIME_LIMIT": "60"])
        #expect(supervised.output == plain.output)
        #expect(supervised.errorOutput.count == plain.errorOutput.count)
        #expect(supervised.report.tests.map(\.outcome) == plain.report.tests.map(\.outcome))
    }

    @Test(
        "a selected test that crashes is retried, and nothing else runs",
        arguments: [("test2", ["skipped", "passed"]), ("test3", ["passed"])]
    )
    func selection(test: String, endings: [String]) async throws {
        let arguments = ["trap", "in a section"]
        let run = try await run(Dies.self, with: arguments, selected: "Dying/\(test)", environment: supervise)
        #expect(run.cases == endings.map { "Dying.\(test) \($0)" })
        #expect(run.suites.first == "Selected tests")
    }

    @Test("two processes of one run, as `swift test --parallel` starts them, share a report")
    func parallel() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let shared = ["RETRYABLE_RUN_ID": "one", "RETRYABLE_REPORT": folder.report.path]
        let settings = supervise.merging(shared) { $1 }
        async let one = run(Troubled.self, with: ["crashesOnce", "crashesOnce"], environment: settings)
        async let other = run(
            Dies.self,
            with: ["trap", "in a section"],
            selected: "Dying/test2",
            environment: settings
        )
        _ = try await (one, other)
        let report = try Report(contentsOf: folder.report)
        #expect(report.tests.map(\.outcome) == [.recovered, .recovered, .recovered])
        #expect(report.run?.finishedAt != nil)
    }

    @Test("a supervised run fails if one of its tests did not end")
    func leftOut() async throws {
        let run = try await run(NotPerformed.self, expecting: .failure, environment: supervise)
        #expect(run.errorOutput == ["Retryable: 1 test did not end, so the run has failed: NotPerformed.test"])
    }

    @Test("a suite that a program runs itself is not supervised, and a line says so")
    func byHand() async throws {
        let run = try await run(RunsHalf.self, expecting: .failure, environment: supervise)
        #expect(run.errorOutput.first?.contains("RETRYABLE_SUPERVISE changes nothing here: ") == true)
    }

    @Test("a crash after the last test ends a supervised run as it would end any other")
    func late() async throws {
        let tests = ["crashesAtExit"]
        let run = try await run(Troubled.self, with: tests, expecting: .signal(SIGKILL), environment: supervise)
        #expect(run.cases == ["Troubled.test1 passed"])
    }

    @Test(
        "a test that hangs is ended after its backtrace is printed, and no call in it returns before that",
        arguments: ["sleep", "sleepInC", "usleep", "nanosleep", "poll", "waitpid", "besideThreads", "inTask"]
    )
    func backtrace(way: String) async throws {
        let settings = limited.merging(withBacktrace) { $1 }
        let run = try await run(Dies.self, with: [way, "in a section"], environment: settings)
        #expect((run.output + run.errorOutput).contains { $0.contains("Signal 3: Backtracing from") })
        #expect(run.cases.prefix(2) == ["Dying.test1 passed", "Dying.test2 skipped"])
        #expect(run.skips.allSatisfy { $0.contains("hung for 2 s") })
    }

    @Test(
        "what other threads do between a crash and the end of its process counts for nothing",
        arguments: [true, false]
    )
    func afterCrash(isInSection: Bool) async throws {
        let run = try await run(
            AbortsSlowly.self,
            with: isInSection ? ["in a section"] : [],
            expecting: isInSection ? .success : .failure,
            environment: supervise.merging(withBacktrace) { $1 }
        )
        #expect((run.output + run.errorOutput).contains { $0.contains("Signal 6: Backtracing from") })
        // Before these, what ended between the crash and the end of its process.
        let endings = ["Crashes \(isInSection ? "skipped" : "failed")", "Flakes passed", "Next passed"]
        let all = (endings + (isInSection ? ["Crashes passed"] : [])).map { "AbortsSlowly.test\($0)" }
        #expect(Array(run.cases.suffix(all.count)) == all)
        #expect(run.report.tests.map(\.outcome) == (isInSection ? [.recovered] : []))
    }

    @Test("a test that survives its abort in a section has failed, because what failed since then is not known")
    func survived() async throws {
        let settings = supervise.merging(withBacktrace) { $1 }
        let run = try await run(SurvivesAbort.self, expecting: .failure, environment: settings)
        let words = "crashed with signal 6 (SIGABRT), and then the process called exit(1)"
        #expect(run.errors.last == "SurvivesAbort.test1 : \(words)", "\(run.errors)")
        #expect(run.cases.suffix(2) == ["SurvivesAbort.test1 failed", "SurvivesAbort.test2 passed"])
    }

    @Test(
        "a crash in a section is a flake, even if the run or the time limit ends before the crashed process",
        arguments: ["ends meanwhile", "takes longer than a hang"]
    )
    func slowCrash(way: String) async throws {
        let settings = limited.merging(withBacktrace) { $1 }
        let run = try await run(CrashesLate.self, with: [way], environment: settings)
        // Of what ends meanwhile, the output shows an end, too.
        let endings = (way == "ends meanwhile" ? ["passed"] : []) + ["skipped", "passed"]
        #expect(run.cases == endings.map { "CrashesLate.test \($0)" })
        #expect(run.skips.allSatisfy { $0.contains("crashed with signal 6 (SIGABRT)") })
        #expect(run.report.tests.map(\.outcome) == [.recovered])
    }

    @Test("an exit on a thread is held by no section that is entered before the process ends", arguments: [0, 3])
    func slowExit(code: Int) async throws {
        let run = try await run(ExitsSlowly.self, with: ["\(code)"], expecting: .failure, environment: supervise)
        #expect(run.errors == ["ExitsSlowly.test1 : called exit(\(code))"])
        #expect(run.cases.suffix(2) == ["ExitsSlowly.test1 failed", "ExitsSlowly.test2 passed"])
        #expect(run.report.tests.isEmpty)
    }

    @Test(
        "what flakes, crashes or ends between an exit on a thread and the end of its process counts for nothing",
        arguments: ["flakes", "crashes", "ends"]
    )
    func beforeEnd(way: String) async throws {
        let settings = supervise.merging(withBacktrace) { $1 }
        let run = try await run(ExitsSlowly.self, with: ["3", way], environment: settings)
        let endings = ["1 skipped", "2 passed", "1 passed"].map { "ExitsSlowly.test\($0)" }
        #expect(run.cases.suffix(3) == endings)
        #expect(run.report.tests.map(\.name) == ["-[ExitsSlowly test1]"])
        #expect(run.report.marks?.map { [$0.attempts, $0.flakes] } == [[1, 1], [1, 0]])
        #expect(run.errorOutput.count { $0.hasPrefix("Retryable: report:") } == 1)
    }

    @Test("a crash after all tests fails the run, though the process then calls exit(0)")
    func crashAtEnd() async throws {
        let settings = supervise.merging(withBacktrace) { $1 }
        let run = try await run(AbortsAtEnd.self, expecting: .failure, environment: settings)
        #expect(run.cases == ["AbortsAtEnd.test passed"])
        let line = "the process crashed with signal 6 (SIGABRT) after its tests, so the run has failed"
        #expect(run.errorOutput.contains("Retryable: \(line)"), "\(run.errorOutput)")
    }

    @Test("the main thread may hold what another one waits for, and runs what it is given, also after a crash")
    func mainThread() async throws {
        let run = try await run(UsesMainThread.self, expecting: .success, environment: limited)
        let endings = ["1 passed", "2 passed", "3 passed", "4 skipped", "5 passed", "6 passed", "7 passed", "4 passed"]
        #expect(run.cases == endings.map { "UsesMainThread.test\($0)" })
    }

    private func check(_ way: String, _ place: Place, words: String) async throws {
        let ending = place.hasFailed ? ChildRun.Ending.failure : .success
        let settings = words == Self.hung ? limited : supervise
        let run = try await run(Dies.self, with: [way, place.name], expecting: ending, environment: settings)
        let name = place.name == "in an XCTestCase" ? "PlainDying" : "Dying"
        let first = ["\(name).test1 passed", "\(name).test2 \(place.attempts[0])", "\(name).test3 passed"]
        let retries = place.attempts.dropFirst().map { "\(name).test2 \($0)" }
        #expect(run.cases == first + ["AfterDying.test passed"] + retries)
        #expect(run.output.last == "\t Executed \(place.total)")
        #expect(run.printed.count { $0 == "Dying set up" } == place.fixtures)
        #expect(run.report.tests.map(\.outcome) == (place.outcome.map { [$0] } ?? []))
        #expect(run.report.run?.finishedAt != nil)
        let flakes = run.report.tests.flatMap(\.attempts).filter { $0.outcome == .flaked }
        #expect(flakes.flatMap(\.failures).allSatisfy { $0.message == words })
        #expect(run.skips.allSatisfy { $0.contains(": \(words); reason: a race") })
        let told = run.errors + run.skips + run.errorOutput
        #expect(told.contains { $0.contains(words) })
    }
}

/// The settings of runs whose tests run in a child. With a shorter limit, a starved test seems to hang.
private let supervise = ["RETRYABLE_SUPERVISE": "1", "SWIFT_BACKTRACE": "enable=no"]
/// Swift's crash handler is on.
private let withBacktrace = ["SWIFT_BACKTRACE": "enable=yes,color=no,symbolicate=off"]
private let limited = ["RETRYABLE_TIME_LIMIT": "2", "SWIFT_BACKTRACE": "enable=no"]

/// Counts the processes with `mark` in their environment, until there are `expected` or time is up.
func processes(with mark: String, becoming expected: Int) async throws -> Int {
    var count = -1
    for _ in 1...500 where count != expected {
        if count >= 0 { try await Task.sleep(for: .milliseconds(10)) }
        count = try FileManager.default.contentsOfDirectory(atPath: "/proc").count { process in
            Int(process) != nil
                && FileManager.default.contents(atPath: "/proc/\(process)/environ")?.range(of: Data(mark.utf8)) != nil
        }
    }
    return count
}

/// Runs that somebody ends.
@Suite("A run that is ended from outside", .timeLimit(.minutes(10)))
struct EndedRunTests {
    @Test(
        "a supervised run ends as a whole even if the signal reaches the process of the tests first",
        arguments: [SIGTERM, SIGSTOP]
    )
    func childFirst(signal: CInt) async throws {
        let (child, report) = try await sleepingRun { parent in
            let children = try String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
            kill(try #require(pid_t(children.trimmingCharacters(in: .whitespaces))), signal)
            usleep(2000)  // not asleep for as long as the other tests keep this task waiting
            kill(parent, SIGTERM)
        }
        #expect(child.ending == .signal(SIGTERM))
        #expect(report.tests.isEmpty)
    }

    @Test(
        "a signal that ends a supervised run ends its tests as well, and causes no flake",
        arguments: [SIGTERM, SIGINT, SIGHUP, SIGKILL],
        [false, true]
    )
    func signal(signal: CInt, isForGroup: Bool) async throws {
        let (child, report) = try await sleepingRun { parent in kill(isForGroup ? -parent : parent, signal) }
        #expect(child.ending == .signal(signal))
        #expect(report.tests.isEmpty)
        #expect(report.run?.finishedAt == nil)
        #expect(!child.errorOutput.contains { $0.contains("crashed") })
    }

    /// A run whose only test sleeps until `end` ends it, which is given the process that waits for the tests.
    private func sleepingRun(
        endedBy end: @escaping @Sendable (pid_t) throws -> Void
    ) async throws -> (ChildRun, Report) {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let mark = UUID().uuidString
        let child = try await ChildRun.of(
            Checkout.wholeRunProgram,
            ["SleepsInGroup"],
            environment: ["RETRYABLE_REPORT": folder.report.path, "RETRYABLE_SUPERVISE": "1", "MARK": mark]
        ) { process in
            let parent = process.identifier
            Task {
                // The one that runs the test, and the one that waits for it.
                #expect(try await processes(with: mark, becoming: 2) == 2)
                try await Task.sleep(for: .milliseconds(100))
                try end(parent)
            }
        }
        #expect(try await processes(with: mark, becoming: 0) == 0)
        return (child, try Report(contentsOf: folder.report))
    }
}

// MARK: - Programs

/// `Dies WAY PLACE`
enum Dies: Program {
    static var entries: [XCTestCaseEntry] {
        Dying.way = DeathWay(rawValue: ProgramRun.arguments[0]) ?? .trap
        Dying.place = DeathPlace(rawValue: ProgramRun.arguments[1]) ?? .section
        let tests: [(String, XCTestCaseClosure)] = [
            ("test1", Dying.passes), ("test2", Dying.dies), ("test3", Dying.passes),
        ]
        return [
            Dying.place == .plain ? (PlainDying.self, tests) : (Dying.self, tests),
            (AfterDying.self, [("test", Dying.passes)]),
        ]
    }
}

/// How a test ends its process, or keeps it for ever.
enum DeathWay: String, CaseIterable {
    case trap, segv, abort, overflow, sigkill, exit0, exit3, quickExit, thread
    case lock, sleep, await, child
    // Calls that a signal ends early.
    case sleepInC, usleep, nanosleep, poll, waitpid, besideThreads, inTask

    func happen() {
        switch self {
        case .trap: fatalError("on purpose")
        case .segv: UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        case .abort: Foundation.abort()
        case .overflow: print(overflow(0))
        case .sigkill: kill(getpid(), SIGKILL)
        case .exit0: exit(0)
        case .exit3: exit(3)
        case .quickExit: _exit(0)
        case .thread:
            Thread.detachNewThread { fatalError("on a thread, on purpose") }
            Thread.sleep(forTimeInterval: 600)
        case .lock:
            let lock = NSLock()
            lock.lock()
            lock.lock()
        case .sleep: Thread.sleep(forTimeInterval: 600)  // what ends it may be late on a busy machine
        case .await:
            let ended = DispatchSemaphore(value: 0)
            Task {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                ended.signal()
            }
            ended.wait()
        case .sleepInC: _ = Foundation.sleep(600)
        case .usleep: Foundation.usleep(600_000_000)
        case .nanosleep:
            var time = timespec(tv_sec: 600, tv_nsec: 0)
            Foundation.nanosleep(&time, nil)
        case .poll: _ = Foundation.poll(nil, 0, 600_000)
        case .waitpid:
            var status: CInt = 0
            let child = fork()
            if child == 0 {
                Foundation.sleep(60)
                _exit(0)
            }
            Foundation.waitpid(child, &status, 0)
        case .besideThreads:
            for _ in 0..<6 {
                Thread.detachNewThread {
                    Foundation.usleep(1_900_000)  // the limit is two seconds
                    while true {}
                }
            }
            _ = Foundation.sleep(600)
        case .inTask:
            let ended = DispatchSemaphore(value: 0)
            Task {
                _ = Foundation.sleep(600)
                ended.signal()
            }
            ended.wait()
        case .child:
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/bin/sleep")
            child.arguments = ["60"]
            try? child.run()
            child.waitUntilExit()
        }
    }

    private func overflow(_ depth: Int) -> Int { depth < 0 ? 0 : overflow(depth + 1) + depth }
}

/// Where it does so.
enum DeathPlace: String, CaseIterable {
    case section = "in a section"
    case everySection = "in a section, always"
    case outside = "outside"
    case plain = "in an XCTestCase"
    case setUp = "in setUp"
    case classSetUp = "in class setUp"
    case tearDown = "in tearDown"
    case classTearDown = "in class tearDown"
    case block = "in a teardown block"
    case afterFailure = "after a failure"
}

class Dying: RetryableTestCase {
    nonisolated(unsafe) static var way = DeathWay.trap
    nonisolated(unsafe) static var place = DeathPlace.section

    static func passes(_: XCTestCase) {}

    static func dies(_ test: XCTestCase) throws {
        guard let test = test as? Dying else { return way.happen() }
        switch place {
        case .section: test.flaky(.race) { if test.retryCount == 0 { way.happen() } }
        case .everySection: test.flaky(.notFixable(reason: "a race", maxRetryCount: 2)) { way.happen() }
        case .outside: way.happen()
        case .block: test.addTeardownBlock { way.happen() }
        case .afterFailure:
            XCTFail("before")
            test.flaky(.race) { way.happen() }
        default: break
        }
    }

    private var isToDie: Bool { name.hasSuffix("test2") }

    override class func setUp() {
        print("\(self) set up")
        if place == .classSetUp { way.happen() }
    }

    override class func tearDown() {
        print("\(self) torn down")
        if place == .classTearDown { way.happen() }
    }

    override func setUp() { if Self.place == .setUp, isToDie { Self.way.happen() } }
    override func tearDown() { if Self.place == .tearDown, isToDie { Self.way.happen() } }
}

final class PlainDying: XCTestCase {}

final class AfterDying: RetryableTestCase {}

enum CrashOnRetry: Program {
    static var entries: [XCTestCaseEntry] {
        [
            testCase([
                ("test1", Troubled.flakes), ("test2", Troubled.crashesOnRetry), ("test3", Troubled.flakesTwice),
            ]), testCase([("test", TroubledToo.flakes)]),
        ]
    }
}

enum ManyCrashes: Program {
    static var entries: [XCTestCaseEntry] {
        [(Troubled.self, (1...150).map { ("test\($0)", $0 % 15 == 0 ? Troubled.crashing(_:) : Dying.passes) })]
    }
}

enum SleepsInGroup: Program {
    static var entries: [XCTestCaseEntry] {
        // The signals that end it may be ignored where it was started.
        for ending in [SIGTERM, SIGINT, SIGHUP] { signal(ending, SIG_DFL) }
        setpgid(0, 0)
        return [(AfterDying.self, [("test", { _ in DeathWay.sleep.happen() })])]
    }
}

/// Ignores the ends of children, as some programs do that start others. This process asks for it before it has a child.
enum CrashWithoutChildren: Program {
    static var entries: [XCTestCaseEntry] {
        signal(SIGCHLD, SIG_IGN)
        return [(Troubled.self, [("test", Troubled.crashing(_:))])]
    }
}

/// Crashes among flakes: `Troubled METHOD…`
class Troubled: RetryableTestCase, Program {
    class var entries: [XCTestCaseEntry] {
        let methods: [String: (Troubled) -> () throws -> Void] = [
            "flakes": flakes, "crashes": crashes, "crashesOnce": crashesOnce, "crashesAtExit": crashesAtExit,
            "flakesWithoutReport": flakesWithoutReport,
        ]
        return [
            testCase(ProgramRun.arguments.enumerated().map { ("test\($0 + 1)", methods[$1] ?? crashes) })
        ]
    }

    override class func setUp() { print("\(self) set up") }
    override class func tearDown() { print("\(self) torn down") }

    func flakes() { flaky(.race) { XCTAssertGreaterThan(retryCount, 0) } }

    func flakesTwice() {
        flaky(.notFixable(reason: "a race", maxRetryCount: 2)) { XCTAssertGreaterThan(retryCount, 1) }
    }

    func crashes() { fatalError("on purpose") }

    func crashesOnce() { flaky(.race) { if retryCount == 0 { fatalError("on purpose") } } }

    static func crashing(_ test: XCTestCase) { (test as? Troubled)?.crashesOnce() }

    func crashesOnRetry() {
        flaky(.notFixable(reason: "a race", maxRetryCount: 2)) {
            XCTAssertGreaterThan(retryCount, 0)
            if retryCount == 1 { fatalError("on purpose") }
        }
    }

    func crashesAtExit() { atexit { kill(getpid(), SIGKILL) } }

    /// Flakes where its report cannot be written any more: a folder stands in its place.
    func flakesWithoutReport() throws {
        let report = ProcessInfo.processInfo.environment["RETRYABLE_REPORT"] ?? ""
        if retryCount == 0 {
            try FileManager.default.removeItem(atPath: report)
            try FileManager.default.createDirectory(atPath: report, withIntermediateDirectories: false)
        }
        flakes()
    }
}

final class TroubledToo: Troubled {}

final class UsesMainThread: Troubled {
    override class var entries: [XCTestCaseEntry] {
        mutex.withLock { $0 += 1 }  // before the fork
        let uses = [initializes, locks, getsBlock]
        let tests = uses + [UsesMainThread.crashesOnce] + uses
        return [testCase(tests.enumerated().map { ("test\($0 + 1)", $1) })]
    }

    private static let value: Int = {
        usleep(50_000)
        return 1
    }()
    private static let mutex = Mutex(0)

    func initializes() {
        let isOver = meanwhile { Self.value == 1 }
        XCTAssertEqual(Self.value, 1)
        wait(for: [isOver], timeout: 20)
    }

    func locks() {
        let isOver = meanwhile { Self.mutex.withLock { $0 == 1 } }
        Self.mutex.withLock { _ in _ = usleep(50_000) }
        wait(for: [isOver], timeout: 20)
    }

    func getsBlock() {
        let isOver = expectation(description: "the main thread runs it")
        DispatchQueue.main.async { isOver.fulfill() }
        wait(for: [isOver], timeout: 20)
    }

    private func meanwhile(_ isRight: @escaping @Sendable () -> Bool) -> XCTestExpectation {
        let isOver = expectation(description: "another thread goes on")
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { if isRight() { isOver.fulfill() } }
        return isOver
    }
}

/// A thread crashes as `abort` does, while the last test is in a section. Between its two signals, the first test leaves its section
/// or ends, and another one flakes.
final class AbortsSlowly: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] {
        [
            testCase([
                ("testCrashes", AbortsSlowly.testCrashes), ("testFlakes", AbortsSlowly.testFlakes),
                ("testNext", AbortsSlowly.testNext),
            ])
        ]
    }

    nonisolated(unsafe) private static var isToDie = false
    private static let section = DispatchSemaphore(value: 0)

    func testCrashes() {
        if retryCount > 0 { return }
        Self.isToDie = true
        if ProgramRun.arguments.isEmpty { Self.crash() } else { flaky(.race, Self.crash()) }
    }

    func testFlakes() { flaky(.race) { XCTAssertFalse(Self.isToDie) } }

    func testNext() {
        flaky(.race) {
            if !Self.isToDie { return }
            Self.section.signal()
            Thread.sleep(forTimeInterval: 600)
        }
    }

    private static func crash() {
        let hasPrinted = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            raise(SIGABRT)  // Swift's handler prints the backtrace and returns
            hasPrinted.signal()
            section.wait()
            _ = signal(SIGABRT, SIG_DFL)
            raise(SIGABRT)
        }
        hasPrinted.wait()
    }
}

/// A thread crashes as `abort` does, in a section. Between its two signals, the run ends, or it takes longer than what hangs may.
final class CrashesLate: RetryableTestCase, OneTest {
    private static let (hasPrinted, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    func test() {
        if retryCount > 0 { return }
        let isLong = ProgramRun.arguments == ["takes longer than a hang"]
        atexit { CrashesLate.ends.signal() }
        flaky(.race) {
            Thread.detachNewThread {
                raise(SIGABRT)
                Self.hasPrinted.signal()
                _ = Self.ends.wait(timeout: .now() + (isLong ? 3 : 60))
                usleep(100_000)
                _ = signal(SIGABRT, SIG_DFL)
                raise(SIGABRT)
            }
            Self.hasPrinted.wait()
            if isLong { Thread.sleep(forTimeInterval: 600) }
        }
    }
}

/// A thread calls `exit` in the first test, and a handler that was there before the tests waits until the next one is in a section.
final class ExitsSlowly: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] {
        atexit {
            ExitsSlowly.exits.signal()
            _ = ExitsSlowly.section.wait(timeout: .now() + 60)
        }
        return [testCase([("test1", ExitsSlowly.ends), ("test2", ExitsSlowly.enters)])]
    }

    private static let (exits, section) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    nonisolated(unsafe) private static var isToEnd = false

    private static let isInSection = ProgramRun.arguments.count > 1
    nonisolated(unsafe) private static var isToHold = false

    func ends() {
        if retryCount > 0 { return }
        Self.isToEnd = true
        if Self.isInSection { flaky(.race, Self.end()) } else { Self.end() }
    }

    private static func end() {
        Thread.detachNewThread { exit(CInt(ProgramRun.arguments[0]) ?? 1) }
        exits.wait()
        guard ProgramRun.arguments.last == "crashes" else { return }
        raise(SIGABRT)  // Swift's handler prints the backtrace and returns
        section.signal()
        Thread.sleep(forTimeInterval: 600)
    }

    func enters() {
        flaky(.race) {
            if Self.isToEnd, Self.isInSection {
                if ProgramRun.arguments.last == "ends" { return }
                XCTFail("late")
                Self.isToHold = true
                return
            }
            Self.section.signal()
            if Self.isToEnd { Thread.sleep(forTimeInterval: 600) }
        }
    }

    override func tearDown() {
        guard Self.isToHold else { return }
        Self.section.signal()
        Thread.sleep(forTimeInterval: 600)
    }
}

/// Survives a signal whose backtrace Swift's handler prints, and then fails.
final class SurvivesAbort: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] {
        [testCase([("test1", SurvivesAbort.survives), ("test2", SurvivesAbort.fails)])]
    }

    nonisolated(unsafe) private static var hasSurvived = false

    func survives() {
        if retryCount > 0 { return }
        flaky(.race) {
            raise(SIGABRT)
            Self.hasSurvived = true
        }
    }

    func fails() { XCTAssertFalse(Self.hasSurvived) }
}

final class AbortsAtEnd: RetryableTestCase, OneTest {
    func test() { XCTestObservationCenter.shared.addTestObserver(Aborting()) }

    private final class Aborting: NSObject, XCTestObservation {
        func testBundleDidFinish(_ bundle: Bundle) { raise(SIGABRT) }
    }
}

/// An `XCTestCase` crashes right after a section.
final class PlainAfterFlake: Troubled {
    override class var entries: [XCTestCaseEntry] {
        [
            (PlainAfterFlake.self, [("test", Troubled.crashing(_:))]),
            (PlainDying.self, [("test", { _ in DeathWay.trap.happen() })]),
        ]
    }
}

/// Has a test more than is listed.
final class Extended: Troubled {
    override class var entries: [XCTestCaseEntry] {
        XCTestObservationCenter.shared.addTestObserver(Adding())
        return [(Extended.self, [("test", { _ in })]), (TroubledToo.self, [("test", Troubled.crashing(_:))])]
    }

    private final class Adding: NSObject, XCTestObservation {
        func testSuiteWillStart(_ suite: XCTestSuite) {
            guard suite.name == "Extended" else { return }
            suite.addTest(Extended(name: "testAdded") { _ in XCTFail("on purpose") })
        }
    }
}

/// Prints what an observer gets, which at the end of the bundle may fail the run.
final class Observed: Troubled {
    override class var entries: [XCTestCaseEntry] {
        XCTestObservationCenter.shared.addTestObserver(Printing())
        return super.entries + [(TroubledToo.self, [("test", Dying.passes)])]
    }

    private final class Printing: NSObject, XCTestObservation {
        func testSuiteDidFinish(_ suite: XCTestSuite) { print("end of suite \(suite.name)") }

        func testBundleDidFinish(_ bundle: Bundle) {
            print("end of bundle")
            if ProcessInfo.processInfo.environment["EXIT_CODE"] == "1" { exit(1) }
        }
    }
}

/// Flakes in `tearDown`, and keeps the report's lock.
final class HoldsReport: Troubled {
    override class var entries: [XCTestCaseEntry] { [(HoldsReport.self, [("test", { _ in })])] }

    override func tearDown() {
        flakes()
        if retryCount == 0 { _ = ProgramRun.lockReport() }
    }
}

final class NotPerformed: Troubled {
    override class var entries: [XCTestCaseEntry] { [testCase([("test", NotPerformed.flakes)])] }

    override func perform(_ run: XCTestRun) {}
}

/// Crashes when the class of its retries has been torn down.
final class TornInRounds: Troubled {
    override class var entries: [XCTestCaseEntry] {
        [testCase([("test1", TornInRounds.flakes), ("test2", TornInRounds.flakesTwice)])]
    }

    nonisolated(unsafe) private static var isRetried = false

    override func setUp() { if retryCount > 0 { Self.isRetried = true } }
    override class func tearDown() { if isRetried { fatalError("on purpose") } }
}

/// Hangs when it is set up for the second time: then its mark stands beside the report.
final class SetUpOnce: Troubled {
    override class var entries: [XCTestCaseEntry] {
        [testCase([("test1", SetUpOnce.crashes), ("test2", SetUpOnce.flakes), ("test3", SetUpOnce.flakes)])]
    }

    override class func setUp() {
        let mark = (ProcessInfo.processInfo.environment["RETRYABLE_REPORT"] ?? "") + ".mark"
        if FileManager.default.fileExists(atPath: mark) { DeathWay.sleep.happen() }
        _ = FileManager.default.createFile(atPath: mark, contents: nil)
    }
}
