import Foundation
import RetryReport
import RetryableTesting
import TestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Runs of Swift Testing in which a test ends the process of all.
@Suite("A crash costs one test in Swift Testing, too")
struct TestingSupervisionTests {
    /// Where a test dies, and what becomes of that.
    enum Place: String, CaseIterable {
        case section = "in a section"
        case always = "in a section, always"
        case retry = "on a retry"
        case outside = "outside"
        case inCase = "in a case"
        case inInit = "in init"
        case inDeinit = "in deinit"
        case innerTrait = "in an inner trait"
        case outerTrait = "in an outer trait"
        case plain = "in a plain test"

        var attempts: [AttemptRecord.Outcome] {
            switch self {
            case .section, .inCase: [.flaked, .passed]
            case .retry: [.flaked, .flaked, .passed]
            case .always: [.flaked, .flaked, .failed]
            default: []
            }
        }
    }

    static let ways = [
        ("trap", "crashed with signal 4 (SIGILL)"), ("segv", "crashed with signal 11 (SIGSEGV)"),
        ("abort", "crashed with signal 6 (SIGABRT)"), ("overflow", "crashed with signal 11 (SIGSEGV)"),
        ("sigkill", "crashed with signal 9 (SIGKILL)"), ("exit3", "called exit(3)"), ("exit0", "called exit(0)"),
        ("quickExit", "called exit(0)"),
    ]

    @Test(
        "each way to die is a flake in a section and a real failure outside",
        arguments: ways,
        [Place.section, .outside]
    )
    func way(way: (name: String, words: String), place: Place) async throws {
        try await check(way.name, place, words: way.words)
    }

    @Test(
        "a death costs one test, wherever it happens",
        arguments: ways,
        Place.allCases.filter { $0 != .section && $0 != .outside }
    )
    func place(way: (name: String, words: String), place: Place) async throws {
        try await check(way.name, place, words: way.words)
    }

    @Test("a death among 500 others costs one test", arguments: ways, [Place.section, .outside])
    func among500(way: (name: String, words: String), place: Place) async throws {
        let run = try await check(way.name, place, beside: 500, words: way.words)
        // What a signal or `exit` tells of its test is enough to run no other test alone; of a damaged heap, one test is alone.
        let isTold = way.name != "sigkill" && way.name != "quickExit"
        // A task may go on on a thread on which the handler has no stack of its own, and so cannot run after an overflow.
        if way.name != "overflow" {
            #expect(run.ourLines.contains { $0.contains("they run again") } != isTold, "\(run.ourLines)")
        }
        let isCertain = way.name == "trap" || way.name.hasPrefix("exit")
        if isCertain { #expect(run.ourLines.last?.contains(" 1 process died") == true, "\(run.ourLines)") }
    }

    @Test(
        "a death is that of its test on every thread",
        arguments: ways,
        [Place.section, .outside].flatMap { place in
            ["child", "task", "detached", "dispatch"].map { (thread: $0, place: place) }
        }
    )
    func thread(way: (name: String, words: String), at: (thread: String, place: Place)) async throws {
        try await check(way.name, at.place, on: at.thread, words: way.words)
    }

    @Test(
        "a test that hangs has hung for the time limit, whether it keeps a thread or waits without one",
        arguments: [
            ("sleep", ""), ("sleep", "detached"), ("sleep", "dispatch"), ("trap", "suspended"), ("child", ""),
        ],
        [Place.section, .always, .outside]
    )
    func hang(way: (name: String, thread: String), place: Place) async throws {
        try await check(way.name, place, on: way.thread, words: "hung for 2 s")
    }

    @Test(
        "a hang costs one test, wherever it happens",
        arguments: Place.allCases.filter { $0 != .section && $0 != .always && $0 != .outside }
    )
    func hang(place: Place) async throws {
        try await check("sleep", place, words: "hung for 2 s")
    }

    @Test(
        "a process that hangs is ended after the backtraces of its threads are printed, and no call returns before that",
        arguments: [("sleep", ""), ("usleep", ""), ("poll", "detached"), ("trap", "suspended")]
    )
    func backtrace(way: (name: String, thread: String)) async throws {
        let settings = [
            "WAY": way.name, "THREAD": way.thread, "PLACE": Place.section.rawValue, "RETRYABLE_TIME_LIMIT": "2",
            "RETRYABLE_RETRY_DELAY": "0", "SWIFT_BACKTRACE": "enable=yes,color=no,symbolicate=off",
        ]
        let run = try await SwiftTestingRun.of("Perishing/dies", environment: settings)
        #expect(run.ending == .success, "\(run.errorOutput)")
        #expect((run.output + run.errorOutput).contains { $0.contains("Signal 3: Backtracing from") })
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == [[.flaked, .passed]])
        #expect(run.ourLines.contains { $0.contains("hung for 2 s") })
    }

    @discardableResult
    private func check(
        _ way: String,
        _ place: Place,
        on thread: String = "",
        beside others: Int = 10,
        words: String
    ) async throws -> SwiftTestingRun {
        let limit = words.hasPrefix("hung") ? ["RETRYABLE_TIME_LIMIT": "2"] : [:]
        let peril = ["WAY": way, "PLACE": place.rawValue, "THREAD": thread, "BESIDE": "\(others)"]
        let settings = supervise.merging(peril) { $1 }.merging(limit) { $1 }
        let run = try await SwiftTestingRun.of("Perishing(Plain)?", environment: settings)
        let hasRecovered = place.attempts.last == .passed
        #expect(run.ending == (hasRecovered ? .success : .failure))
        #expect(
            run.failures.count == (hasRecovered ? 0 : 1) && run.failures.allSatisfy { $0.contains(words) },
            "\(run.failures)"
        )
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == (place.attempts.isEmpty ? [] : [place.attempts]))
        #expect(run.report.run?.finishedAt != nil)
        let last = try #require(run.ourLines.last)
        #expect(last.contains(" died: ") && last.contains("dies") && last.contains(words), "\(run.ourLines)")
        let ending = [
            "Perishing/ends()", "Perishing/beside(number:)", "Perishing/dies()", "Perishing/InOrder/first()",
            "Perishing/InOrder/last()", "Perishing/InOrder", "Perishing", "PerishingPlain", "PerishingPlain/dies()",
            "Perishing/Unnamed/ends()", "Perishing/Unnamed",
        ]
        for test in ending { #expect(run.ended.count { $0 == test } == 1, "\(test)") }
        #expect(Set(run.printed.filter { $0.hasPrefix("beside") }).count == others)
        if place == .inCase { #expect(run.printed.count { $0 == "first" } == 1, "a test that had ended ran again") }
        return run
    }

    @Test("the file of --xunit-output has each test once, though one crashed and others ran again")
    func results() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.file("results.xml")
        let settings = supervise.merging(["PLACE": Place.always.rawValue]) { $1 }
        let run = try await SwiftTestingRun.of("Perishing", ["--xunit-output", file.path], environment: settings)
        #expect(run.ending == .failure)
        let suite = try #require(try XMLDocument(contentsOf: file).rootElement()?.elements(forName: "testsuite").first)
        let tests = suite.elements(forName: "testcase")
        func value(_ name: String, of element: XMLElement) -> String? { element.attribute(forName: name)?.stringValue }
        #expect(
            Set(tests.compactMap { value("name", of: $0) }) == [
                "beside(number:)", "dies()", "dies(number:)", "diesInTrait()", "ends()", "first()", "last()",
                "`3/4 of version 1.2`()",
            ]
        )
        #expect(tests.count == 10 && value("tests", of: suite) == "10" && value("failures", of: suite) == "1")
        let inOrder = tests.filter { value("classname", of: $0) == "WholeRunProgram.Perishing.InOrder" }
        #expect(
            inOrder.compactMap { value("name", of: $0) } == [
                "`3/4 of version 1.2`()", "dies(number:)", "first()", "last()",
            ]
        )
        let failures = tests.flatMap { $0.elements(forName: "failure") }
        #expect(failures.compactMap { value("message", of: $0) }.first?.contains("crashed with signal 4") == true)
        #expect(tests.allSatisfy { value("time", of: $0).flatMap(Double.init) != nil })
    }

    @Test("the file of --xunit-output has what was skipped, and nothing of a suite whose trait has left its tests out")
    func skippedResults() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.file("results.xml")
        let run = try await SwiftTestingRun.of("Skips", ["--xunit-output", file.path], environment: supervise)
        #expect(run.ending == .success, "\(run.errorOutput)")
        #expect(run.ourLines.last?.contains(" 1 process died") == true)
        let suite = try #require(try XMLDocument(contentsOf: file).rootElement()?.elements(forName: "testsuite").first)
        let tests = suite.elements(forName: "testcase")
        #expect(tests.compactMap { $0.attribute(forName: "name")?.stringValue } == ["crashes()", "isOff()"])
        let skips = tests.flatMap { $0.elements(forName: "skipped") }
        #expect(skips.count == 1)
        #expect(skips.first?.attribute(forName: "message")?.stringValue?.contains("not here") == true)
    }

    @Test("events can be read while their process runs")
    func eventsAtOnce() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let events = try folder.makeFile("events")
        let run = try await ChildRun.of(
            Checkout.wholeRunProgram,
            ["--filter", "SleepsLong", "--event-stream-output-path", events.path],
            environment: supervise
        ) { process in
            let parent = process.identifier
            Task {
                for _ in 0..<1000 where try !Data(contentsOf: events).contains("testStarted") {
                    try await Task.sleep(for: .milliseconds(10))
                }
                kill(parent, SIGTERM)
            }
        }
        #expect(run.ending == .signal(SIGTERM))
        #expect(try Data(contentsOf: events).contains("testStarted"))
    }

    /// A run whose processes see by a file, at `MARK`, whether an earlier one made it.
    private func marked(_ tests: String, _ settings: [String: String] = [:]) async throws -> SwiftTestingRun {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let environment = supervise.merging(["MARK": folder.file("mark").path, "WAY": "segv"]) { $1 }
        return try await SwiftTestingRun.of(tests, environment: environment.merging(settings) { $1 })
    }

    // MARK: - Never green

    @Test("a failure before a crash stands, even if the crash recovers and the last process is green")
    func earlierFailure() async throws {
        let run = try await SwiftTestingRun.of("FailsBefore", environment: supervise)
        #expect(run.ending == .failure)
        #expect(run.failures == ["Issue recorded: before the crash"])
        #expect(run.report.tests.map(\.outcome) == [.recovered])
        #expect(run.printed == ["fails"])
    }

    @Test("a test that failed and was then interrupted by another's crash has failed, and does not run again")
    func failedAndInterrupted() async throws {
        let run = try await SwiftTestingRun.of("FailsWhile", environment: supervise)
        #expect(run.ending == .failure)
        #expect(run.failures == ["Issue recorded: while it waits"])
        #expect(run.report.tests.map(\.outcome) == [.recovered])
        #expect(run.printed == ["fails"])
        #expect(run.ended.count { $0 == "FailsWhile/fails()" } == 1)
    }

    @Test("an event that cannot be read may have been a failure, so the run fails and says so")
    func unreadableEvent() async throws {
        let run = try await SwiftTestingRun.of("SpoilsEvents", environment: supervise)
        #expect(run.ending == .failure)
        #expect(run.report.tests.map(\.outcome) == [.recovered])
        let line = "Retryable: an event cannot be read, so the run has failed: not an event"
        #expect(run.ourLines.contains(line), "\(run.ourLines)")
    }

    @Test("if a process dies before it has named its tests, the run has failed, but they run")
    func diesAtOnce() async throws {
        let run = try await marked("DiesAtOnce")
        #expect(run.ending == .failure)
        #expect(run.printed == ["runs"])
        #expect(run.ourLines.contains("Retryable: the process crashed with signal 9 (SIGKILL) outside of its tests"))
    }

    @Test("a process that cannot be started fails the run")
    func notStarted() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let program = folder.file("program")
        // By another process: what this one has open for writing may be so in a child that starts now, and then cannot be run.
        _ = try await ChildRun.of(URL(fileURLWithPath: "/bin/cp"), [Checkout.wholeRunProgram.path, program.path])
        let run = try await ChildRun.of(
            program,
            ["--filter", "MakesItselfUnusable"],
            environment: supervise.merging(["RETRYABLE_REPORT": folder.report.path]) { $1 }
        )
        #expect(run.ending == .failure, "\(run)")
        #expect(
            run.errorOutput.contains { $0.contains("1 test did not end, so the run has failed: MakesItselfUnusable") }
        )
    }

    @Test(
        "a run in which a test that died, or was interrupted, is not seen to pass fails",
        arguments: [
            ("LeftOutOnRetry", "1 test did not end, so the run has failed: LeftOutOnRetry/crashes()"),
            ("LeftOutLater", "1 test did not end, so the run has failed: LeftOutLater/waits()"),
            ("DiesOnce", "none of these crashed with signal 11 (SIGSEGV) again in the same way: DiesOnce/dies()"),
            ("DiesAfterFlake", "none of these crashed with signal 10 (SIGUSR1) again in the same way: DiesAfterFlake/"),
            (
                "CasesChange/vanishes",
                "CasesChange/vanishes(number:) crashed with signal 4 (SIGILL), and its retry did not run"
            ),
            ("CasesChange/cannotBeTold", "CasesChange/cannotBeTold(case:) crashed with signal 4 (SIGILL)"),
            ("NewCases", "NewCases/flakes(case:) flaked, and its retry did not run"),
            ("CrashesSecondTime", "dies() crashed with signal 4 (SIGILL) again in the same attempt"),
            ("SuiteTraitCrashes|runsBeside", "the process crashed with signal 4 (SIGILL) outside of its tests"),
            ("CrashesLater", "CrashesLater/leavesTask() crashed with signal 4 (SIGILL) when it had ended"),
            ("CrashesInRetry", "CrashesInRetry/test() crashed with signal 4 (SIGILL) when it had ended"),
            ("FailsAtLast", "FailsAtLast/fails() failed just before the process ended"),
        ]
    )
    func notSeenToPass(suite: String, words: String) async throws {
        let run = try await marked(suite)
        #expect(run.ending == .failure)
        #expect(run.ourLines.contains { $0.contains(words) }, "\(run.errorOutput)")
        #expect(run.ourLines.dropLast().last == "Retryable: the run has failed")
    }

    @Test(
        "a run in which a crash cuts off what a trait does after a suite's tests fails; since 6.4, only behind .retryable"
    )
    func cutOff() async throws {
        let run = try await marked("ClosesLate")
        let suites =
            try await SwiftTestingRun.isSince6_4()
            ? ("1 suite", "ClosesLate/Behind") : ("2 suites", "ClosesLate/Before, ClosesLate/Behind")
        let line = "\(suites.0) did not end, where a trait may have had more to check: \(suites.1)"
        #expect(run.ending == .failure)
        #expect(run.ourLines.contains { $0.hasSuffix(line) }, "\(run.errorOutput)")
        #expect(run.ourLines.dropLast().last == "Retryable: the run has failed")
    }

    @Test("a crash may cut off what a trait does around tests that did not run")
    func cutOffNothing() async throws {
        let run = try await marked("ClosesNothing")
        #expect(run.printed.contains("closes Around"))
        #expect(run.ending == .success, "\(run.errorOutput)")
    }

    @Test(
        "settings that make a flake a failure make a crash one",
        arguments: ["RETRYABLE_MODE=strict", "RETRYABLE_FAIL_ON_FLAKY=1"]
    )
    func settings(setting: String) async throws {
        let parts = setting.split(separator: "=").map(String.init)
        let settings = supervise.merging(["PLACE": Place.section.rawValue, parts[0]: parts[1]]) { $1 }
        let run = try await SwiftTestingRun.of("Perishing", environment: settings)
        #expect(run.ending == .failure)
        #expect(run.failures.count == 1)
    }

    @Test("a test that hangs once, while no other one runs, has flaked")
    func hangsOnce() async throws {
        let run = try await marked("HangsOnce", ["RETRYABLE_TIME_LIMIT": "2", "RETRYABLE_RETRY_DELAY": "0"])
        #expect(run.ending == .success, "\(run.ourLines)")
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == [[.flaked, .passed]])
        #expect(run.ourLines.last == "Retryable: 1 process died: HangsOnce/hangs() hung for 2 s")
    }

    @Test("a test that hangs after a flake, where no section holds it, fails, whatever another does that hangs")
    func hangsAfterFlake() async throws {
        let run = try await marked("HangsAfterFlake", ["RETRYABLE_TIME_LIMIT": "2", "RETRYABLE_RETRY_DELAY": "0"])
        #expect(run.ending == .failure)
        let outcomes = Dictionary(grouping: run.report.tests, by: \.outcome).mapValues { Set($0.map(\.name)) }
        let failed = ["inCase(number:) [1]", "inOther()", "outside()"].map { "HangsAfterFlake/\($0)" }
        #expect(outcomes == [.failed: Set(failed), .recovered: ["HangsAfterFlake/inside()"]], "\(run.ourLines)")
    }

    // MARK: - More than one

    @Test("while the cause of a death is looked for, a test that fails and dies does so once")
    func failsAndDies() async throws {
        let run = try await marked("FailsAndDies")
        #expect(run.ending == .failure)
        let (first, second) = (
            "FailsAndDies/fails() crashed with signal 4 (SIGILL)",
            "FailsAndDies/quits() crashed with signal 6 (SIGABRT)"
        )
        let lines = run.ourLines.dropFirst().filter { $0 != "Retryable: the run has failed" }
        #expect(
            lines.first == "Retryable: \(first)" && lines.dropFirst().first?.hasPrefix("Retryable: \(second)") == true
        )
        #expect(lines.count == 3 && lines.last?.hasSuffix(", \(first), \(second)") == true, "\(run.ourLines)")
    }

    @Test("while the cause of a death is looked for, another death is, too")
    func twoSearches() async throws {
        let run = try await marked("DieOnThreads")
        #expect(run.ending == .success, "\(run.ourLines)")
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == [[.flaked, .passed], [.flaked, .passed]])
    }

    @Test(
        "a death is explained by no flake of another way: in the test's own task, or where no section could hold it before",
        arguments: [
            ("CrashesElsewhere", "crashed with signal 4 (SIGILL)", ["inSection()", "onThread()"]),
            ("HangInTurn", "hung for 2 s", ["inSection()", "outside()"]),
            ("DiesInOtherSection", "crashed with signal 9 (SIGKILL)", ["dies()", "waits()"]),
        ]
    )
    func otherWay(suite: String, death: String, tests: [String]) async throws {
        let limit = ["RETRYABLE_TIME_LIMIT": "2", "RETRYABLE_RETRY_DELAY": "0"]
        let run = try await marked(suite, death.hasPrefix("hung") ? limit : [:])
        #expect(run.ending == .failure)
        let names = tests.map { "\(suite)/\($0)" }.joined(separator: ", ")
        let line = "none of these \(death) again in the same way: \(names)"
        #expect(run.ourLines.contains { $0.hasSuffix(line) }, "\(run.ourLines)")
        #expect(run.report.tests.map(\.outcome) == [.recovered])
    }

    @Test("a crash in a trait around a case is not a flake of another one whose section is open")
    func crashAroundCase() async throws {
        let run = try await marked("CrashesAroundCase")
        #expect(run.ending == .failure)
        #expect(run.failures.count == 1 && run.failures.allSatisfy { $0.contains("signal 4 (SIGILL)") })
        #expect(run.report.tests.isEmpty, "\(run.ourLines)")
    }

    @Test(
        "a test that dies beside another one, until its retries are used up or with none for that, fails once",
        arguments: [("4", [[AttemptRecord.Outcome.flaked, .failed]]), ("2", [])]
    )
    func diesBeside(deaths: String, outcomes: [[AttemptRecord.Outcome]]) async throws {
        let run = try await marked("DiesBeside", ["DEATHS": deaths])
        #expect(run.ending == .failure)
        #expect(run.failures.count == 1, "\(run.failures)")
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == outcomes)
    }

    @Test("a case that dies beside another one of its test runs alone")
    func caseBeside() async throws {
        let run = try await marked("CaseDiesBeside")
        #expect(run.ending == .success, "\(run.ourLines)")
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == [[.flaked, .passed]])
    }

    @Test(
        "a signal that a test survives explains no later death",
        arguments: [(SIGTRAP, "trap"), (SIGTRAP, "exit3"), (SIGTRAP, "sigkill"), (SIGILL, "trap"), (SIGABRT, "exit3")]
    )
    func survived(signal: CInt, way: String) async throws {
        let words = way == "exit3" ? "called exit(3)" : "crashed with signal \(way == "sigkill" ? 5 : 4)"
        // Swift's crash handler prints the backtrace of a signal that was sent, and the test goes on.
        let settings = [
            "SIGNAL": "\(signal)", "WAY": way, "SWIFT_BACKTRACE": "enable=yes,color=no,symbolicate=off",
        ]
        let run = try await marked("SurvivesSignal", settings)
        #expect(run.ending == .failure)
        #expect(run.failures.count == 1 && run.failures.allSatisfy { $0.contains(words) }, "\(run.failures)")
        #expect(run.report.tests.map(\.name) == ["SurvivesSignal/flakes()"])
    }

    @Test("a crash outside of sections counts, though another test ends the process while its backtrace is printed")
    func endsDuringBacktrace() async throws {
        let run = try await marked("EndsDuringBacktrace", withBacktrace)
        #expect(run.ending == .failure)
        let line = "crashes() crashed with signal 5 (SIGTRAP), and then the process called exit(0)"
        #expect(run.failures.count == 1 && run.failures.allSatisfy { $0.contains(line) }, "\(run.failures)")
    }

    @Test(
        "what other tasks do between a crash and the end of its process counts for nothing",
        arguments: [true, false]
    )
    func afterCrash(isInSection: Bool) async throws {
        let run = try await marked("CrashesBehind/\(isInSection ? "inSection(Beside)?" : "outside")", withBacktrace)
        #expect(run.ending == (isInSection ? .success : .failure))
        #expect(run.printed.contains("goes on"))
        let failures = isInSection ? [] : ["Issue recorded: crashed with signal 5 (SIGTRAP)"]
        #expect(run.failures == failures, "\(run.failures)")
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == (isInSection ? [[.flaked, .passed]] : []))
    }

    @Test("an exit outside of sections is not held by one that the test enters before the process has ended")
    func exitsBefore() async throws {
        let run = try await marked("ExitsBefore")
        #expect(run.ending == .failure)
        #expect(run.failures == ["Issue recorded: called exit(3)"], "\(run.failures)")
    }

    @Test(
        "an exit that a test leaves behind is not lost if the run comes to its end meanwhile",
        arguments: ["whileFlushed", "whileReported"]
    )
    func exitsAtEnd(way: String) async throws {
        let run = try await marked("ExitsAtEnd/\(way)")
        #expect(run.ending == .failure)
        #expect(run.failures == ["Issue recorded: called exit(0)"], "\(run.failures)")
    }

    @Test(
        "a fault fails the run, also if it does not happen again and Swift's handler goes on",
        arguments: [false, true]
    )
    func faultOnce(hasBacktrace: Bool) async throws {
        let run = try await marked("FaultsOnce", hasBacktrace ? withBacktrace : [:])
        #expect(run.ending == .failure)
        #expect(run.failures.count == 1 && run.failures.allSatisfy { $0.contains("(SIGTRAP)") }, "\(run.failures)")
    }

    @Test("a crash after all tests fails the run, though the process then calls exit(0)")
    func crashAtEnd() async throws {
        let run = try await marked("FaultsAtEnd", withBacktrace)
        #expect(run.ending == .failure)
        let line = "a thread crashed with signal 5 (SIGTRAP), and then the process called exit(0)"
        #expect(run.ourLines.contains { $0.hasSuffix(line) }, "\(run.ourLines)")
    }

    @Test("two tests that crash at the same moment, and one that crashes three times, all recover")
    func many() async throws {
        let run = try await SwiftTestingRun.of("CrashesTogether", environment: supervise)
        #expect(run.ending == .success, "\(run.errorOutput)")
        #expect(
            run.report.tests.map(\.name)
                == ["one(name:) [\"one\"]", "three()", "two()"].map { "CrashesTogether/\($0)" }
        )
        let once: [AttemptRecord.Outcome] = [.flaked, .passed]
        #expect(
            run.report.tests.map { $0.attempts.map(\.outcome) } == [once, [.flaked, .flaked, .flaked, .passed], once]
        )
        #expect(run.ended.count { $0.hasPrefix("CrashesTogether/") } == 3)
    }

    @Test("two tests that call exit at the same moment both recover")
    func exitsTogether() async throws {
        let run = try await marked("ExitTogether")
        #expect(run.ending == .success, "\(run.ourLines)")
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == [[.flaked, .passed], [.flaked, .passed]])
    }

    @Test("a test that has flaked and is interrupted by another's crash goes on with its retry")
    func interruptedRetry() async throws {
        let run = try await SwiftTestingRun.of("FlakesWhile", environment: supervise)
        #expect(run.ending == .success, "\(run.errorOutput)")
        let once: [AttemptRecord.Outcome] = [.flaked, .passed]
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == [once, once])
    }

    @Test("a crash in a case with a long argument recovers, also where no file can be made")
    func longCase() async throws {
        let settings = supervise.merging(["TMPDIR": "/nowhere"]) { $1 }
        let run = try await SwiftTestingRun.of("LongCase", environment: settings)
        #expect(run.ending == .success, "\(run.errorOutput)")
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == [[.flaked, .passed]])
    }

    @Test("a crash in a suite whose trait runs code around it recovers, and that code runs in the next process")
    func suiteOfCrash() async throws {
        let run = try await SwiftTestingRun.of("CrashesInScope", environment: supervise)
        #expect(run.ending == .success, "\(run.errorOutput)")
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == [[.flaked, .passed]])
        #expect(run.printed == ["closes Ended", "closes CrashesInScope"])
    }

    @Test("a flake of a test that another test's crash then interrupts is in the report")
    func flakeBeforeInterruption() async throws {
        let run = try await marked("FlakesAndWaits")
        #expect(run.ending == .success, "\(run.errorOutput)")
        let once: [AttemptRecord.Outcome] = [.flaked, .passed]
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == [once, once])
        #expect(run.report.marks?.map(\.flakes) == [1, 1])
        let message = run.report.tests.last?.attempts.first?.failures.map(\.message)
        #expect(message == ["Issue recorded: on purpose"])
    }

    @Test("a flake right before another test's crash is in the report, as any other")
    func flakeBeforeCrash() async throws {
        let run = try await SwiftTestingRun.of("FlakesBefore", environment: supervise)
        #expect(run.ending == .success, "\(run.errorOutput)")
        #expect(run.report.tests.map(\.mark.reason) == ["a race", "a race"])
        let messages = run.report.tests.compactMap { $0.attempts.first?.failures.first?.message }
        #expect(messages == ["crashed with signal 4 (SIGILL)", "Issue recorded: on purpose"])
    }

    @Test("a mark counts each attempt once, however many processes died meanwhile")
    func counts() async throws {
        let run = try await marked("CrashInTurn", ["RETRYABLE_MAX_FLAKES": "5"])
        #expect(run.ending == .success, "\(run.errorOutput)")
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == Array(repeating: [.flaked, .passed], count: 5))
        #expect(run.report.marks?.map(\.flakes) == [5] && run.report.marks?.map(\.attempts) == [17])
    }

    @Test("a flake counts once, also if another test ends the process just then")
    func countsOnce() async throws {
        let run = try await marked("CrashesWhileShown", ["RETRYABLE_MAX_FLAKES": "2"])
        #expect(run.ending == .success, "\(run.errorOutput)")
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == [[.flaked, .passed], [.flaked, .passed]])
        let message = "crashed with signal 4 (SIGILL)"
        #expect(run.report.tests.compactMap { $0.attempts.first?.failures.map(\.message) } == [[message], [message]])
        #expect(run.report.marks?.map(\.flakes) == [2])
    }

    @Test("a crash recovers also if a seed orders the tasks")
    func seed() async throws {
        let settings = supervise.merging(["RETRYABLE_TASK_SEED": "7", "PLACE": Place.section.rawValue]) { $1 }
        let run = try await SwiftTestingRun.of("Perishing/dies", environment: settings)
        #expect(run.ending == .success, "\(run.errorOutput)")
        #expect(run.report.tests.map { $0.attempts.map(\.outcome) } == [[.flaked, .passed]])
        #expect(run.report.tests.map { $0.attempts.map(\.taskSeed?.seed) } == [[7, 8]])
    }

    @Test("an exit tears no event that another thread writes")
    func exitBesideEvents() async throws {
        let run = try await SwiftTestingRun.of("ExitsBesideEvents", environment: supervise)
        #expect(run.ending == .success, "\(run.ourLines)")
        #expect(run.report.tests.map(\.attempts.count) == [31])
        #expect(run.ourLines.last?.contains("30 processes died") == true, "\(run.ourLines)")
    }

    // MARK: - Other runs

    @Test("a supervised run without a crash is like any other", arguments: ["Perishing(Plain)?", "FailsBefore/fails"])
    func nothing(tests: String) async throws {
        let plain = try await SwiftTestingRun.of(tests)
        let supervised = try await SwiftTestingRun.of(tests, environment: supervise)
        #expect(supervised.ending == plain.ending)
        #expect(supervised.errorOutput.count == plain.errorOutput.count)
        #expect(supervised.failures == plain.failures)
        #expect(supervised.ended.sorted() == plain.ended.sorted())
        #expect(supervised.report.tests.isEmpty && supervised.report.run?.finishedAt != nil)
    }

    @Test("tests of a supervised run that enter sections at the same time get in no race, as the thread sanitizer sees")
    func crowd() async throws {
        let run = try await SwiftTestingRun.of("Crowd", environment: supervise)
        #expect(run.ending == .success, "\(run.errorOutput)")
        #expect(run.report.tests.count { $0.outcome == .recovered } == 50)
        // A line says so where nothing is supervised.
        #expect(!run.ourLines.contains { $0.contains("RETRYABLE_SUPERVISE") })
    }

    @Test("only a supervised run starts a second process; one with --repetitions is not supervised, and says so")
    func oneProcess() async throws {
        for (environment, arguments, isOne) in [
            ([:], [], true), (supervise, [], false), (supervise, ["--repetitions", "1"], true),
        ] {
            var process: pid_t = 0
            let run = try await ChildRun.of(
                Checkout.wholeRunProgram,
                ["--filter", "SaysItsProcess"] + arguments,
                environment: environment,
                started: { process = $0.identifier }
            )
            #expect(run.ending == .success)
            #expect(run.output.contains("\(process)") == isOne)
            let line = "Retryable: RETRYABLE_SUPERVISE changes nothing here: --repetitions is given"
            #expect(run.errorOutput.contains(line) == !arguments.isEmpty)
        }
    }

    @Test("a signal that ends the run ends its tests as well", arguments: [SIGTERM, SIGINT, SIGHUP, SIGKILL])
    func ended(signal: CInt) async throws {
        let mark = UUID().uuidString
        let run = try await ChildRun.of(
            Checkout.wholeRunProgram,
            ["--filter", "SleepsLong"],
            environment: supervise.merging(["MARK": mark]) { $1 }
        ) { process in
            let parent = process.identifier
            Task {
                let count = try await processes(with: mark, becoming: 2)
                #expect(count == 2)
                kill(parent, signal)
            }
        }
        #expect(run.ending == .signal(signal))
        #expect(try await processes(with: mark, becoming: 0) == 0)
    }
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}

private let supervise = ["RETRYABLE_SUPERVISE": "1", "SWIFT_BACKTRACE": "enable=no"]
/// Swift's crash handler is on.
private let withBacktrace = ["SWIFT_BACKTRACE": "enable=yes,color=no,symbolicate=off"]

// MARK: - Programs

#if PROGRAM
    /// `dies` ends the process in the way, at the place and on the thread that the environment names.
    @Suite(.retryable) struct Perishing {
        @Test func dies() async throws {
            try await Task.sleep(for: .milliseconds(20))
            switch Peril.place {
            case "in a section": await flaky(.race) { if Test.retryCount == 0 { await Peril.meet() } }
            case "in a section, always":
                await flaky(.notFixable(reason: "a race", maxRetryCount: 2)) { await Peril.meet() }
            case "on a retry":
                await flaky(.notFixable(reason: "a race", maxRetryCount: 2)) {
                    if Test.retryCount == 0 { Issue.record("the first") }
                    if Test.retryCount == 1 { await Peril.meet() }
                }
            default: await Peril.meet(at: "outside")
            }
        }

        @Test(arguments: 0..<Peril.others) func beside(number: Int) async throws {
            try await Task.sleep(for: .milliseconds(50))
            print("beside \(number)")
            fflush(nil)  // lost if another test ends the process
        }

        @Test func ends() {}

        @Suite(.serialized) struct InOrder {
            @Test func first() { print("first") }

            @Test(arguments: 0..<3) func dies(number: Int) async {
                await flaky(.race) { if number == 1, Test.retryCount == 0 { await Peril.meet(at: "in a case") } }
            }

            @Test func last() {}

            @Test func `3/4 of version 1.2`() {}
        }

        @Suite final class Instance {
            init() async { await Peril.meet(at: "in init") }
            deinit { if Peril.place == "in deinit" { Peril.way.happen() } }
            @Test func dies() {}
        }

        @Test(PerilTrait(place: "in an inner trait")) func diesInTrait() {}

        /// A suite that Swift Testing makes up after it has chosen the tests.
        struct Unnamed {
            @Test func ends() {}
        }
    }

    struct PerishingPlain {
        @Test func dies() async { await Peril.meet(at: "in a plain test") }
        @Test(PerilTrait(place: "in an outer trait"), .retryable) func diesInTrait() {}
    }

    private struct PerilTrait: TestTrait, TestScoping {
        let place: String

        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            await Peril.meet(at: place)
            try await function()
        }
    }

    private enum Peril {
        private static let environment = ProcessInfo.processInfo.environment
        static let place = environment["PLACE"] ?? ""
        static let others = Int(environment["BESIDE"] ?? "") ?? 10
        static let way = DeathWay(rawValue: environment["WAY"] ?? "") ?? .trap

        static func meet(at place: String) async { if place == Self.place { await meet() } }

        static func meet() async {
            switch environment["THREAD"] {
            case "child": await withTaskGroup(of: Void.self) { $0.addTask { way.happen() } }
            case "task": await Task { way.happen() }.value
            case "suspended": await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            case "detached": await Task.detached { way.happen() }.value
            case "dispatch":
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    DispatchQueue.global().async {
                        way.happen()
                        continuation.resume()
                    }
                }
            default: way.happen()
            }
        }
    }

    private func crashOnce() { flaky(.race) { if Test.retryCount == 0 { fatalError("on purpose") } } }

    private func crashOnce(after gate: Gate) async {
        if Test.retryCount == 0 { await gate.wait() }
        crashOnce()
    }

    /// Flakes in the first process, and then waits for another test to end that.
    private func flakeAndWait(opening gate: Gate) async throws {
        let isFirst = Mark.isAbsent
        Mark.make()
        flaky(.race) { if isFirst { Issue.record("on purpose") } }
        guard isFirst else { return }
        gate.open()
        try await Task.sleep(for: .seconds(600))
    }

    @Suite(.retryable, .serialized) struct FailsBefore {
        @Test func fails() {
            print("fails")
            Issue.record("before the crash")
        }

        @Test func crashes() { crashOnce() }
    }

    /// `crashes` does so while the other one, which has failed, waits.
    @Suite(.retryable) struct FailsWhile {
        private static let gate = Gate()

        @Test func fails() async throws {
            print("fails")
            Issue.record("while it waits")
            Self.gate.open()
            try await Task.sleep(for: .seconds(600))
        }

        @Test func crashes() async { await crashOnce(after: Self.gate) }
    }

    /// `crashes` does so when the other one has failed, but Swift Testing has not written that down.
    @Suite(.retryable) struct FailsAtLast {
        private static let gate = Gate()

        @Test(
            .compactMapIssues {
                Mark.make()
                gate.open()
                sleep(600)
                return $0
            }
        ) func fails() { if Mark.isAbsent { Issue.record("on purpose") } }

        @Test func crashes() async { await crashOnce(after: Self.gate) }
    }

    /// `crashes` does so when the tests of the other suites have ended, and their traits close what they had opened.
    struct ClosesLate {
        private static let gates = [Gate(), Gate()]

        @Suite(Closes(gates[0]), .retryable) struct Before { @Test func passes() {} }
        @Suite(.retryable, Closes(gates[1])) struct Behind { @Test func passes() {} }

        @Test(.retryable) func crashes() async {
            if Test.retryCount == 0 { await Self.gates[0].wait() }
            await crashOnce(after: Self.gates[1])
        }
    }

    /// As above, around tests that do not run.
    struct ClosesNothing {
        private static let gate = Gate()

        @Suite(.retryable, Closes(gate)) struct Around { @Test(.disabled()) func isLeftOut() {} }

        @Test(.retryable) func crashes() async { await crashOnce(after: Self.gate) }
    }

    /// A suite that has ended, and one in which a test is to run again.
    @Suite(.serialized, .retryable, Closes()) struct CrashesInScope {
        @Suite(Closes()) struct Ended { @Test func passes() {} }
        @Test func crashes() { crashOnce() }
    }

    /// Does something after a suite's tests; with a gate, for ever.
    private struct Closes: SuiteTrait, TestScoping {
        private let gate: Gate?

        init(_ gate: Gate? = nil) { self.gate = gate }

        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            try await function()
            print("closes \(test.name)")
            fflush(nil)
            gate?.open()
            if gate != nil { try await Task.sleep(for: .seconds(600)) }
        }
    }

    /// `crashes` does so while the retry of the other one waits.
    @Suite(.retryable) struct FlakesWhile {
        private static let gate = Gate()
        private static let hasFlaked = Locked(false)

        @Test func flakes() async throws {
            flaky(.race) { if Test.retryCount == 0 { Issue.record("on purpose") } }
            guard Self.hasFlaked.exchange(true) else { return }
            Self.gate.open()
            try await Task.sleep(for: .seconds(600))
        }

        @Test func crashes() async { await crashOnce(after: Self.gate) }
    }

    /// `crashes` does so while the attempt that flaked waits, which would not flake again.
    @Suite(.retryable) struct FlakesAndWaits {
        private static let gate = Gate()

        @Test func flakes() async throws { try await flakeAndWait(opening: Self.gate) }

        @Test func crashes() async { await crashOnce(after: Self.gate) }
    }

    /// `crashes` does so as soon as the other one has flaked.
    @Suite(.retryable) struct FlakesBefore {
        private static let gate = Gate()

        @Test func flakes() {
            flaky(.race) { if Test.retryCount == 0 { Issue.record("on purpose") } }
            Self.gate.open()
        }

        @Test func crashes() async { await crashOnce(after: Self.gate) }
    }

    @Suite(.retryable) struct Skips {
        @Test(.disabled("not here")) func isOff() {}
        @Test func crashes() { crashOnce() }
        @Suite(LeavesOut()) struct Inner { @Test func test() {} }
    }

    private struct LeavesOut: SuiteTrait, TestScoping {
        func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { test.isSuite ? self : nil }

        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {}
    }

    @Suite(.retryable) struct MakesItselfUnusable {
        @Test func crashes() throws {
            chmod(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"), 0)
            crashOnce()
        }
    }

    @Suite(.retryable) struct LeftOutOnRetry {
        @Test(.enabled(if: Mark.isAbsent)) func crashes() {
            Mark.make()
            crashOnce()
        }
    }

    @Suite(.retryable) struct LeftOutLater {
        private static let gate = Gate()

        @Test(.enabled(if: Mark.isAbsent)) func waits() async throws {
            Mark.make()
            Self.gate.open()
            try await Task.sleep(for: .seconds(600))
        }

        @Test func crashes() async { await crashOnce(after: Self.gate) }
    }

    /// Dies in a section while another test runs, in the first process only.
    @Suite(.retryable) struct DiesOnce {
        private static let gate = Gate()

        @Test func dies() async {
            guard Mark.isAbsent else { return }
            await Self.gate.wait()
            flaky(.race) {
                Mark.make()
                Peril.way.happen()
            }
        }

        @Test func beside() async throws {
            Self.gate.open()
            if Mark.isAbsent { try await Task.sleep(for: .seconds(600)) }
        }
    }

    /// Dies outside of its section while another test runs; as it has flaked before, its retry goes on, and dies inside.
    @Suite(.retryable) struct DiesAfterFlake {
        private static let gate = Gate()

        @Test func dies() async {
            if Mark.isAbsent { await Self.gate.wait() }
            flaky(.race) {
                if Test.retryCount == 0 { Issue.record("on purpose") }
                if Test.retryCount == 1 { die() }
            }
            if Test.retryCount == 0 { die() }
        }

        @Test func beside() async throws {
            Self.gate.open()
            if Mark.isAbsent { try await Task.sleep(for: .seconds(600)) }
        }

        /// Of a signal from outside, nothing says which test is its cause.
        private func die() {
            Mark.make()
            kill(getpid(), SIGUSR1)
            sleep(600)
        }
    }

    /// Cases that crash, and are not found in the next process.
    @Suite(.retryable) struct CasesChange {
        struct Case {}

        @Test(arguments: Mark.isAbsent ? [1, 2] : [2]) func vanishes(number: Int) {
            Mark.make()
            if number == 1 { crashOnce() }
        }

        @Test(arguments: [Case(), Case()]) func cannotBeTold(case: Case) { crashOnce() }
    }

    /// `crashes` does so while an attempt waits that flaked, with a case that the next process does not have.
    @Suite(.retryable) struct NewCases {
        private static let gate = Gate()

        @Test(arguments: [UUID()]) func flakes(case: UUID) async throws { try await flakeAndWait(opening: Self.gate) }

        @Test func crashes() async { await crashOnce(after: Self.gate) }
    }

    @Suite(.retryable) struct LongCase {
        @Test(arguments: [String(repeating: "long ", count: 1000)]) func crashes(case: String) { crashOnce() }
    }

    /// Runs each test twice.
    private struct TwiceTrait: SuiteTrait, TestTrait, TestScoping {
        @TaskLocal static var isSecond = false
        let isRecursive = true

        func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            try await function()
            try await Self.$isSecond.withValue(true) { try await function() }
        }
    }

    /// Each retry goes to the first of the two times, in which nothing crashes.
    @Suite(TwiceTrait(), .retryable) struct CrashesSecondTime {
        @Test func dies() { flaky(.race) { if TwiceTrait.isSecond { fatalError("on purpose") } } }
    }

    @Suite(.retryable, .serialized) struct HangsOnce {
        @Test func ends() {}

        @Test func hangs() async throws {
            try await flaky(.race) {
                guard Mark.isAbsent else { return }
                Mark.make()
                try await Task.sleep(for: .seconds(600))
            }
        }
    }

    /// All wait for ever; what has not flaked does so again.
    @Suite(.retryable) struct HangsAfterFlake {
        @Test func outside() async throws {
            flake()
            try await hang()
        }

        @Test func inOther() async throws {
            flake()
            try await flaky(.fixable(reason: "slow", matching: "late")) { try await hang() }
        }

        @Test func inside() async throws {
            Mark.make()
            try await flaky(.race) { try await hang() }
        }

        @Test(arguments: [1, 2]) func inCase(number: Int) async throws {
            if number == 2 { return try await flaky(.race) { try await hang() } }
            flake()
            try await hang()
        }

        private func flake() { flaky(.race) { if Test.retryCount == 0 { Issue.record("on purpose") } } }

        private func hang() async throws { if Test.retryCount == 0 { try await Task.sleep(for: .seconds(600)) } }
    }

    /// Both hang in the first process, outside of sections, and `inSection` in the next one.
    @Suite(.retryable) struct HangInTurn {
        private static let gate = Gate()

        @Test func outside() async throws {
            guard Mark.isAbsent else { return }
            Self.gate.open()
            try await Task.sleep(for: .seconds(600))
        }

        @Test func inSection() async throws {
            if Mark.isAbsent {
                await Self.gate.wait()
                Mark.make()
                try await Task.sleep(for: .seconds(600))
            }
            try await flaky(.race) { if Test.retryCount == 0 { try await Task.sleep(for: .seconds(600)) } }
        }
    }

    private struct CrashingTrait: SuiteTrait, TestScoping {
        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            if Mark.isAbsent {
                Mark.make()
                try await Task.sleep(for: .milliseconds(200))
                fatalError("on purpose")
            }
            try await function()
        }
    }

    // A suite and a test at the same place of two files.
    #sourceLocation(file:"One.swift",line:9)
    @Suite(CrashingTrait(), .retryable) struct SuiteTraitCrashes { @Test func passes() {} }
    #sourceLocation(file:"Two.swift",line:9)
    @Test(.flaky(.race)) func runsBeside() async throws { try await Task.sleep(for: .milliseconds(600)) }
    #sourceLocation()

    /// A task that a test left behind crashes while the next one runs.
    @Suite(.retryable, .serialized) struct CrashesLater {
        private static let gate = Gate()
        private static let hasLeft = Locked(false)

        @Test func leavesTask() {
            _ = Self.hasLeft.exchange(true)
            Task {
                await Self.gate.wait()
                fatalError("on purpose")
            }
        }

        @Test func next() async throws {
            Self.gate.open()
            if Self.hasLeft.exchange(true) { try await Task.sleep(for: .seconds(600)) }
        }
    }

    /// A task that an attempt left behind crashes while the retry runs.
    @Suite(.retryable) struct CrashesInRetry {
        private static let gate = Gate()

        @Test func test() async throws {
            if Test.retryCount == 0 {
                Task {
                    await Self.gate.wait()
                    fatalError("on purpose")
                }
            }
            flaky(.race) { if Test.retryCount == 0 { Issue.record("on purpose") } }
            guard Test.retryCount == 1, Mark.isAbsent else { return }
            Mark.make()
            Self.gate.open()
            try await Task.sleep(for: .seconds(600))
        }
    }

    /// Writes to the events what is none, and dies before anything can overwrite it.
    @Suite(.retryable) struct SpoilsEvents {
        @Test func test() throws {
            try flaky(.race) {
                guard Test.retryCount == 0 else { return }
                let option = try #require(CommandLine.arguments.firstIndex(of: "--event-stream-output-path"))
                let events = try #require(FileHandle(forWritingAtPath: CommandLine.arguments[option + 1]))
                try events.seekToEnd()
                events.write(Data("not an event\n".utf8))
                kill(getpid(), SIGKILL)
            }
        }
    }

    @Suite(.retryable) struct ExitsBesideEvents {
        private static let isOver = Locked(false)

        @Test func exits() async throws {
            try await flaky(.notFixable(reason: "a race", maxRetryCount: 30)) {
                try await Task.sleep(for: .milliseconds(5))
                if Test.retryCount < 30 { exit(0) }
            }
            _ = Self.isOver.exchange(true)
        }

        @Test func writes() async {
            while !Self.isOver.withLock(\.self) {
                withKnownIssue { Issue.record("an event") }
                await Task.yield()  // on one processor, the other test waits for this thread
            }
        }
    }

    @Suite(.retryable) struct DiesAtOnce {
        @Test(arguments: numbers()) func runs(number: Int) { print("runs") }

        private static func numbers() -> [Int] {
            let isSupervised = CommandLine.arguments.contains { $0.hasPrefix("--retryable-supervised") }
            if isSupervised, Mark.isAbsent {
                Mark.make()
                kill(getpid(), SIGKILL)
            }
            return [1]
        }
    }

    /// `quits` ends the first process on a thread of which no test is known, while `fails` waits, which then runs first.
    @Suite(.retryable) struct FailsAndDies {
        private static let gate = Gate()

        @Test func fails() async throws {
            if Mark.isAbsent {
                Self.gate.open()
                try await Task.sleep(for: .seconds(600))
            }
            Issue.record("an expectation")
            fatalError("on purpose")
        }

        @Test func quits() async throws {
            if Mark.isAbsent { await Self.gate.wait() }
            Mark.make()
            Thread.detachNewThread { abort() }
            try await Task.sleep(for: .seconds(600))
        }
    }

    /// `second` ends the first process while `first` waits, which then ends the next one in another way; no test is known of both.
    @Suite(.retryable) struct DieOnThreads {
        private static let gates = (Gate(), Gate())

        /// Passes in the second process, so that there is another test than the one that dies.
        @Test func before() async {
            guard Mark.isAbsent else { return }
            Self.gates.0.open()
            await die(nil)
        }

        @Test func first() async {
            let isFirst = Mark.isAbsent
            Self.gates.1.open()
            await flaky(.race) { if Test.retryCount == 0 { await die(isFirst ? nil : SIGKILL) } }
        }

        @Test func second() async {
            if Mark.isAbsent {
                await Self.gates.0.wait()
                await Self.gates.1.wait()
            }
            Mark.make()
            await flaky(.race) { if Test.retryCount == 0 { await die(SIGABRT) } }
        }

        private func die(_ signal: CInt?) async {
            if let signal { Thread.detachNewThread { kill(getpid(), signal) } }
            try? await Task.sleep(for: .seconds(600))
        }
    }

    /// `dies` does so first in a section without retries, and then in another one.
    @Suite(.retryable) struct DiesInOtherSection {
        private static let gate = Gate()

        @Test func waits() async throws {
            guard Mark.isAbsent else { return }
            Self.gate.open()
            try await Task.sleep(for: .seconds(600))
        }

        @Test func dies() async {
            if Mark.isAbsent {
                await Self.gate.wait()
                Mark.make()
                flaky(.notFixable(reason: "a race", maxRetryCount: 0)) { _ = kill(getpid(), SIGKILL) }
            }
            flaky(.race) { if Test.retryCount == 0 { kill(getpid(), SIGKILL) } }
        }
    }

    private struct CrashesAround: SuiteTrait, TestTrait, TestScoping {
        let isRecursive = true

        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            try await function()
            guard Mark.isAbsent else { return }
            Mark.make()
            fatalError("on purpose")
        }
    }

    @Suite(CrashesAround(), .retryable) struct CrashesAroundCase {
        private static let gate = Gate()

        @Test(arguments: [1, 2]) func cases(number: Int) async throws {
            guard number == 1 else { return await Self.gate.wait() }
            let isFirst = Mark.isAbsent
            try await flaky(.race) {
                Self.gate.open()
                if isFirst { try await Task.sleep(for: .seconds(600)) }
            }
        }
    }

    /// A damaged heap may be the other test's fault, so `dies` runs alone after each death.
    @Suite(.retryable) struct DiesBeside {
        private static let gate = Gate()
        private static let deaths = Int(ProcessInfo.processInfo.environment["DEATHS"] ?? "") ?? 4

        @Test func dies() async {
            await flaky(Self.deaths == 4 ? .race : .fixable(reason: "a race", matching: "late")) {
                let isAlone = !Mark.count.isMultiple(of: 2)
                if !isAlone { await Self.gate.wait() }
                Mark.add()
                abort()
            }
        }

        @Test func waits() async throws {
            Self.gate.open()
            if Mark.count < Self.deaths { try await Task.sleep(for: .seconds(600)) }
        }
    }

    @Suite(.retryable) struct CaseDiesBeside {
        private static let gate = Gate()

        @Test(arguments: [1, 2]) func cases(number: Int) async throws {
            let isFirst = Mark.count == 0
            if number == 1 {
                Self.gate.open()
                if isFirst { try await Task.sleep(for: .seconds(600)) }
            } else {
                if isFirst { await Self.gate.wait() }
                Mark.add()
                flaky(.race) { if Test.retryCount == 0 { abort() } }
            }
        }
    }

    @Suite(.retryable) struct SurvivesSignal {
        private static let gate = Gate(), section = Gate()

        @Test func survives() async throws {
            guard Mark.isAbsent else { return }
            try await flaky(.race) {
                raise(CInt(ProcessInfo.processInfo.environment["SIGNAL"] ?? "") ?? 0)
                Self.gate.open()
                try await Task.sleep(for: .seconds(600))
            }
        }

        @Test func dies() async {
            guard Mark.isAbsent else { return }
            await Self.gate.wait()
            await Self.section.wait()
            Mark.make()
            Peril.way.happen()
        }

        @Test func flakes() async throws {
            try await flaky(.race) {
                if Mark.isAbsent {
                    Self.section.open()
                    try await Task.sleep(for: .seconds(600))
                }
                if Test.retryCount == 0 { Peril.way.happen() }
            }
        }
    }

    @Suite(.retryable) struct EndsDuringBacktrace {
        private static let gate = Gate()
        /// Known before the mark is made.
        private static let isFirstProcess = Mark.isAbsent

        @Test func crashes() async throws {
            guard Self.isFirstProcess else { return }
            Mark.make()
            // After the backtrace of a signal that was sent, the test goes on, so the moment does not depend on the machine.
            raise(SIGTRAP)
            Self.gate.open()
            try await Task.sleep(for: .seconds(600))
        }

        @Test func ends() async {
            await flaky(.race) {
                if Self.isFirstProcess { await Self.gate.wait() }
                if Test.retryCount == 0 { _exit(0) }
            }
        }
    }

    /// A task crashes. Before the process ends, the test enters a section, or leaves one and ends.
    @Suite(.retryable) struct CrashesBehind {
        private static let (crashed, entered, ended) = (Gate(), Gate(), Gate())

        @Test func outside() async {
            if Test.retryCount > 0 { return flaky(.race) {} }
            let crash = Task { await Self.crash(until: Self.entered) }
            await Self.crashed.wait()
            await flaky(.race) {
                print("goes on")
                Self.entered.open()
                await crash.value
            }
        }

        @Test func inSection() async {
            if Test.retryCount > 0 { return flaky(.race) {} }
            await flaky(.race) {
                Task { await Self.crash(until: Self.ended) }
                await Self.crashed.wait()
            }
            Issue.record("too late")
            print("goes on")
        }

        @Test func inSectionBeside() async throws {
            guard Mark.isAbsent else { return }
            Mark.make()
            // Time for the other test to end.
            try await Task.sleep(for: .milliseconds(500))
            Self.ended.open()
            try await Task.sleep(for: .seconds(600))
        }

        private static func crash(until gate: Gate) async {
            FaultsOnce.fault()
            crashed.open()
            await gate.wait()
            _ = signal(SIGTRAP, SIG_DFL)
            raise(SIGTRAP)
        }
    }

    @Suite(.retryable) struct ExitsBefore {
        @Test func exits() {
            if Test.retryCount > 0 { return flaky(.race) {} }
            guard let file = tmpfile() else { return }
            // Before it ends, the process waits for this file.
            flockfile(file)
            Self.exitOnThread(3)
            flaky(.race) {
                funlockfile(file)
                usleep(60_000_000)
            }
        }

        /// Returns when a thread has called `exit`, and its process waits for a file.
        static func exitOnThread(_ code: CInt) {
            let begins = DispatchSemaphore(value: 0)
            on_exit(
                { _, begins in
                    begins.map { Unmanaged<DispatchSemaphore>.fromOpaque($0).takeUnretainedValue() }?.signal()
                },
                Unmanaged.passRetained(begins).toOpaque()
            )
            Thread.detachNewThread { exit(code) }
            begins.wait()
            usleep(100_000)
        }
    }

    @Suite(.retryable) struct ExitsAtEnd {
        @Test func whileFlushed() {
            Self.exit { isHeld in
                guard let file = tmpfile() else { return }
                flockfile(file)
                isHeld.signal()
                usleep(1_000_000)
                funlockfile(file)
            }
        }

        @Test func whileReported() {
            Self.exit { isHeld in
                let descriptor = ProgramRun.lockReport()
                isHeld.signal()
                usleep(1_000_000)
                flock(descriptor, LOCK_UN)
            }
        }

        /// Has a thread call `exit`, and another one hold what the process waits for before it ends.
        private static func exit(_ hold: @escaping @Sendable (DispatchSemaphore) -> Void) {
            guard Mark.isAbsent else { return }
            Mark.make()
            let isHeld = DispatchSemaphore(value: 0)
            Thread.detachNewThread { hold(isHeld) }
            isHeld.wait()
            ExitsBefore.exitOnThread(0)
        }
    }

    @Suite(.retryable) struct FaultsAtEnd {
        @Test func test() { atexit { FaultsOnce.fault() } }
    }

    struct FaultsOnce {
        @Test func test() {
            guard Mark.isAbsent else { return }
            Mark.make()
            Self.fault()
        }

        /// What a breakpoint in the code does: after it, the code goes on.
        static func fault() {
            var info = siginfo_t()
            (info.si_signo, info.si_code) = (SIGTRAP, 1)
            #if arch(x86_64)
                let number = 297
            #else
                let number = 240
            #endif
            typealias Call = @convention(c) (Int, pid_t, pid_t, CInt, UnsafeMutablePointer<siginfo_t>) -> Int
            let call = dlsym(nil, "syscall").map { unsafeBitCast($0, to: Call.self) }
            let thread = dlsym(nil, "gettid").map { unsafeBitCast($0, to: (@convention(c) () -> pid_t).self) }
            _ = call?(number, getpid(), thread?() ?? 0, SIGTRAP, &info)  // rt_tgsigqueueinfo
        }

        @Test(.retryable) func isSupervised() {}
    }

    @Suite(.retryable) struct ExitTogether {
        private static let count = Locked(0)

        @Test func one() async { await exitTogether() }
        @Test func two() async { await exitTogether() }

        private func exitTogether() async {
            let isFirst = Mark.isAbsent
            Self.count.withLock { $0 += 1 }
            while isFirst && Self.count.withLock(\.self) < 2 { await Task.yield() }
            Mark.make()
            flaky(.race) { if Test.retryCount == 0 { exit(0) } }
        }
    }

    /// `onThread` ends the first process, while the section of `inSection` is open, which ends the next one.
    @Suite(.retryable) struct CrashesElsewhere {
        private static let gate = Gate()

        @Test func onThread() async throws {
            guard Mark.isAbsent else { return }
            await Self.gate.wait()
            Mark.make()
            Thread.detachNewThread { fatalError("on purpose") }
            try await Task.sleep(for: .seconds(600))
        }

        @Test func inSection() async throws {
            try await flaky(.race) {
                if Mark.isAbsent {
                    Self.gate.open()
                    try await Task.sleep(for: .seconds(600))
                }
                if Test.retryCount == 0 { fatalError("on purpose") }
            }
        }
    }

    /// Five of the cases crash, each in a process of its own. In those, no other case ends.
    @Suite(.retryable) struct CrashInTurn {
        private static let crashesBefore = Mark.count

        @Test(arguments: 0..<12) func cases(number: Int) async throws {
            let isOver = Self.crashesBefore == 5
            flaky(.race) {
                guard !isOver, number == Self.crashesBefore else { return }
                Mark.add()
                fatalError("on purpose")
            }
            if !isOver { try await Task.sleep(for: .seconds(600)) }
        }
    }

    /// In the second process, `next` crashes while the crash of the first one is being shown.
    struct CrashesWhileShown {
        private static let gate = Gate()

        @Test(
            .compactMapIssues {
                guard Mark.isAbsent else { return $0 }
                Mark.make()
                gate.open()
                sleep(600)
                return $0
            },
            .retryable
        ) func first() { crashOnce() }

        @Test(.retryable) func next() async { await crashOnce(after: Self.gate) }
    }

    @Suite(.retryable) struct CrashesTogether {
        private static let count = Locked(0)

        @Test(arguments: ["one"]) func one(name: String) async throws { try await crashTogether() }
        @Test func two() async throws { try await crashTogether() }

        @Test func three() {
            flaky(.notFixable(reason: "a race", maxRetryCount: 3)) {
                if Test.retryCount < 3 { fatalError("on purpose") }
            }
        }

        /// At the same moment, if the other one comes to it soon.
        private func crashTogether() async throws {
            Self.count.withLock { $0 += 1 }
            for _ in 0..<100 where Test.retryCount == 0 && Self.count.withLock(\.self) < 2 {
                try await Task.sleep(for: .milliseconds(1))
            }
            crashOnce()
        }
    }

    @Suite(.retryable) struct SaysItsProcess {
        @Test func test() { print(getpid()) }
    }

    @Suite(.retryable) struct SleepsLong {
        @Test func test() async throws { try await Task.sleep(for: .seconds(600)) }
    }
#endif

/// A file that shows a later process that an earlier one ran.
private enum Mark {
    private static let path = ProcessInfo.processInfo.environment["MARK"] ?? ""

    static var isAbsent: Bool { !FileManager.default.fileExists(atPath: path) }
    static func make() { _ = FileManager.default.createFile(atPath: path, contents: nil) }

    static var count: Int { FileManager.default.contents(atPath: path)?.count ?? 0 }
    static func add() { _ = FileManager.default.createFile(atPath: path, contents: Data(count: count + 1)) }
}
