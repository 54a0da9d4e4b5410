import RetryReport
import Testing

@testable import RetriesCommand

@Suite("The tests that an output names")
struct TestOutputTests {
    @Test(
        "XCTest's lines on Linux name its tests, also if something stands before each",
        arguments: ["", "20:33:37 ", "tests-1  | ", "ci\tUNKNOWN\t2026-11-26T20:33:37Z "]
    )
    func xctest(prefix: String) {
        let output = """
            Test Suite 'CartTests' started at 2026-11-22 13:47:49.078
            Test Case 'CartTests.testPays' started at 2026-11-22 13:47:49.078
            /shop/Tests/ShopTests/CartTests.swift:31: error: CartTests.testPays : XCTAssertEqual failed: ("2") is not equal to ("3") - 
            <EXPR>:0: error: CartTests.testPays : threw error "Late()"
            /my shop/A.swift:3: error: CartTests.testPays : failed - late
            <unknown>:0: error: CartTests.testPays : hung for 60 s
            Test Case 'CartTests.testPays' failed (0.042 seconds)
            Test Case 'CartTests.testDies' started at 2026-11-22 13:47:50.000
            \t Executed 1 test, with 3 failures (0 unexpected) in 0.05 (0.05) seconds
            """
        let linux = TestOutput(output.components(separatedBy: "\n").map { prefix + $0 }.joined(separator: "\n"))
        #expect(linux.began == ["CartTests.testPays", "CartTests.testDies"])
        #expect(linux.ended == ["CartTests.testPays"])
        let places = ["/shop/Tests/ShopTests/CartTests.swift:31", nil, "/my shop/A.swift:3", nil]
        #expect(linux.failures.map(\.place) == places)
        #expect(
            linux.failures.map(\.message) == [
                #"XCTAssertEqual failed: ("2") is not equal to ("3")"#, "threw error \"Late()\"", "failed - late",
                "hung for 60 s",
            ]
        )
        #expect(linux.failures.allSatisfy { $0.isXCTest && $0.test == "CartTests.testPays" })
        #expect(linux.hasFailed)
    }

    @Test("an output of XCTest names its tests in each of its other forms")
    func xctestForms() {
        let apple = TestOutput(
            """
            Test Case '-[ShopTests.CartTests testPays]' started.
            /shop/A.swift:3: error: -[ShopTests.CartTests testPays] : failed - late
            """
        )
        #expect(apple.began == ["CartTests.testPays"])
        #expect(apple.failures.map(\.test) == ["CartTests.testPays"])
        let parallel = TestOutput("[1/3] Testing ShopTests.CartTests/testPays")
        #expect(parallel.began == ["CartTests.testPays"])
        #expect(parallel.bad(Report()) == [], "SwiftPM shows no end of a test that passed")
        let retry = TestOutput("/shop/A.swift:3: error: -[ShopTests.CartTests testPays$2] : failed - late")
        #expect(retry.bad(Report()) == ["CartTests.testPays"])
    }

    @Test("a test that began as its supervised process died, and again in the next one, is one")
    func restarted() {
        let line = "Retryable: C.t crashed; the tests that are left run in another process\n"
        func start(_ test: String) -> String { "Test Case '\(test)' started at 9:30\n" }
        func end(_ test: String) -> String { "Test Case '\(test)' passed (0.1 seconds)\n" }
        let one = TestOutput("\(start("C.t"))\(start("C.u"))\(line)\(end("C.t"))\(start("C.u"))\(end("C.u"))")
        #expect(one.ambiguous.isEmpty && one.open.isEmpty)
        let two = TestOutput("\(start("C.t"))\(end("C.t"))\(start("C.u"))\(line)\(end("C.u"))\(start("C.t"))")
        #expect(two.ambiguous == ["C.t"] && two.open == ["C.t"])
        let started = "◇ Test dies() started.\n"
        let testing = TestOutput("\(started)\(line)\(started)✔ Test dies() passed after 0.1 seconds.\n")
        #expect(testing.ambiguous.isEmpty)
    }

    @Test("tests of one name in two modules are known to share it, and a test that is retried shares it with nobody")
    func shared() {
        func start(_ test: String) -> String { "Test Case '\(test)' started at 9:30\n" }
        let twice = start("Cart.testPays") + start("Cart.testPays") + start("Cart.testAdds")
        #expect(TestOutput(twice).ambiguous == ["Cart.testPays"])
        let retried = start("Cart.testPays") + "Test Suite 'Retries' started at 9:31\n" + start("Cart.testPays")
        #expect(TestOutput(retried).ambiguous == [])
        let apple = start("-[A.Cart testPays]") + start("-[B.Cart testPays]")
        #expect(TestOutput(apple).ambiguous == ["Cart.testPays"])
        #expect(TestOutput(start("-[A.Cart testPays]") + start("-[A.Cart testPays]")).ambiguous == [])
        let parallel = "[1/3] Testing A.Cart/testPays\n[2/3] Testing B.Cart/testPays\n[3/3] Testing B.Cart/testAdds\n"
        #expect(TestOutput(parallel).ambiguous == ["Cart.testPays"])
        func event(_ module: String) -> String {
            #"{"payload":{"kind":"testStarted","testID":"\#(module).Cart\/pays()\/A.swift:7:2"}}"# + "\n"
        }
        #expect(TestOutput("", events: event("A") + event("B")).ambiguous == ["Cart/pays()"])
        #expect(TestOutput("", events: event("A") + event("A")).ambiguous == [])
    }

    @Test("an output of Swift Testing names its tests by events or, without these, by lines")
    func swiftTesting() {
        let lines = """
            ◇ Test run started.
            ◇ Test coin() started.
            ✘ Test coin() recorded an issue at Causes.swift:71:56: Expectation failed: (n → 0) != 0
            ✘ Test coin() failed after 0.002 seconds with 1 issue.
            """
        let output = TestOutput(lines)
        #expect(output.began == ["coin()"])
        #expect(output.ended == ["coin()"])
        #expect(output.failures.map(\.place) == ["Causes.swift:71"])
        let issue =
            #""issue":{"isKnown":false,"sourceLocation":{"_filePath":"\/shop\/A.swift","line":71}},"messages":[{"text":"late"}]"#
        let known = issue.replacing("false", with: "true")
        let recorded = issue.replacing(#"[{"#, with: #"[{"text":"Issue recorded"},{"#).replacing("late", with: "gone")
        let id = #""testID":"ShopTests.CartTests\/coin()\/A.swift:70:6""#
        let events = """
            {"kind":"event","payload":{"kind":"testStarted","messages":[],"testID":"ShopTests.CartTests"}}
            {"kind":"event","payload":{"kind":"testStarted","messages":[],\(id)}}
            {"kind":"event","payload":{"kind":"issueRecorded",\(issue),\(id)}}
            {"kind":"event","payload":{"kind":"issueRecorded",\(known),\(id)}}
            {"kind":"event","payload":{"kind":"issueRecorded",\(recorded),\(id)}}
            {"kind":"event","payload":{"kind":"testEnd
            """
        let streamed = TestOutput(lines, events: events)
        #expect(streamed.began == ["CartTests/coin()"])
        #expect(streamed.ended.isEmpty)
        #expect(streamed.failures.map(\.place) == ["/shop/A.swift:71", "/shop/A.swift:71"])
        #expect(streamed.failures.map(\.message) == ["late", "gone"])
    }

    @Test("the output counts where the events lack tests that it shows, as with Swift Build and several test targets")
    func lostEvents() {
        let lines = """
            ◇ Test run started.
            ◇ Test first() started.
            ✘ Test first() recorded an issue at A.swift:3:9: Expectation failed: false
            ✘ Test first() failed after 0.1 seconds with 1 issue.
            ✘ Test run with 1 test in 1 suite failed after 0.1 seconds with 1 issue.
            ◇ Test run started.
            ◇ Test second() started.
            ✔ Test second() passed after 0.1 seconds.
            """
        let events = """
            {"kind":"event","payload":{"kind":"testStarted","testID":"M.B/second()/B.swift:1:2"}}
            {"kind":"event","payload":{"kind":"testEnded","testID":"M.B/second()/B.swift:1:2"}}

            """
        let tests = TestOutput(lines, events: events)
        #expect(tests.ran == ["first()", "second()"])
        #expect(tests.failures.map(\.test) == ["first()"])
        #expect(TestOutput(String(lines.split(separator: "issue.\n")[1]), events: events).ran == ["B/second()"])
    }

    @Test("a test has run if it passed or failed in an attempt")
    func ran() {
        let xctest = TestOutput(
            """
            Test Case 'A.passes' passed (0.1 seconds)
            ...Test Case 'A.prints' passed (0.1 seconds)
            Test Case 'A.fails' failed (0.1 seconds)
            Test Case 'A.skips' skipped (0.1 seconds)
            [1/3] Testing M.A/lists
            ✔ Test passes() passed after 1 s.
            ✘ Test fails() failed after 1 s with 1 issue.
            ➜ Test cancels() was cancelled after 1 s.
            ➜ Test skips() skipped: "late"
            """
        )
        #expect(xctest.ran == ["A.passes", "A.prints", "A.fails", "passes()", "fails()"])
        #expect(xctest.ended.subtracting(xctest.ran) == ["A.skips", "A.lists", "cancels()", "skips()"])
        #expect(xctest.onlyListed == ["A.lists"])
        func event(_ kind: String, _ test: String) -> String {
            #"{"kind":"event","payload":{"kind":"\#(kind)","testID":"M.\#(test)/A.swift:1:2"}}"# + "\n"
        }
        let events = [
            event("testEnded", "passes()"), event("testSkipped", "skips()"),
            // Swift 6.3, and later.
            event("testCaseCancelled", "cancels()") + event("testCancelled", "cancels()")
                + event("testEnded", "cancels()"),
            event("testCancelled", "stops()") + event("testEnded", "stops()"),
            // Some cases of a test, of which the flaky one may be one, and all.
            event("testCaseCancelled", "some(n:)") + event("testCaseEnded", "some(n:)")
                + event("testCaseEnded", "some(n:)"),
            event("testEnded", "some(n:)"),
            event("testCaseCancelled", "all(n:)") + event("testCaseEnded", "all(n:)") + event("testEnded", "all(n:)"),
            event("testCaseEnded", "first(n:)") + event("testCancelled", "first(n:)") + event("testEnded", "first(n:)"),
        ]
        let streamed = TestOutput("", events: events.joined())
        #expect(streamed.ran == ["passes()", "some(n:)", "first(n:)"])
        #expect(streamed.ended == ["passes()", "skips()", "cancels()", "stops()", "some(n:)", "all(n:)", "first(n:)"])
        let run = Repetition(
            number: 1,
            ending: .exitCode(0),
            outcome: .passed,
            report: Report(),
            tests: streamed,
            output: [],
            unmarkedFailures: []
        )
        // A test of which a case was cancelled has run, but proves nothing: that case may be the flaky one.
        #expect(run.testOutcomes == ["passes()": .passed, "some(n:)": .passed, "first(n:)": .passed])
        #expect(run.unprovenTests == streamed.ended.subtracting(["passes()"]))
    }

    @Test("an event of any version of the stream names the failure and its place")
    func versions() {
        func failures(_ issue: String, _ rest: String = "") -> [String?] {
            let id = #""testID":"M.A/t()/A.swift:1:2""#
            let event = #"{"payload":{"kind":"issueRecorded",\#(id),"issue":{\#(issue)}\#(rest)}}"#
            return TestOutput("", events: event).failures.map { "\($0.place ?? "?") \($0.message)" }
        }
        let place = #""sourceLocation":{"filePath":"/A.swift","line":7}"#
        #expect(failures("\"isKnown\":false,\(place)", #","messages":[{"text":"late"}]"#) == ["/A.swift:7 late"])
        #expect(failures(place) == ["/A.swift:7 "])
        #expect(failures(#""sourceLocation":{"_filePath":"/A.swift","line":7}"#) == ["/A.swift:7 "])
        for warning in [#""isFailure":false"#, #""severity":"warning""#, #""_severity":"warning""#, #""isKnown":true"#]
        {
            #expect(failures("\(warning),\(place)").isEmpty)
        }
    }

    @Test("a test that an output names is bad if it failed, flaked or did not end")
    func judging() {
        let output = TestOutput(
            """
            Test Case 'A.passes' started at
            Test Case 'A.passes' passed (0.1 seconds)
            Test Case 'A.fails' started at
            /a.swift:3: error: A.fails : late
            Test Case 'A.fails' failed (0.1 seconds)
            Test Case 'A.flakes' started at
            Test Case 'A.flakes' skipped (0.1 seconds)
            Test Case 'A.dies' started at
            """
        )
        var report = Report()
        report.tests = [Sample.flaked("late", in: 1)]
        report.tests[0].name = "-[A flakes]"
        #expect(output.bad(report) == ["A.fails", "A.flakes", "A.dies"])
        let own = "🚀 Test server started.\n- Test \"pays\" on a server started.\n"
        for name in ["`pays twice`()", "pays(`the amount`:in:)", "Shop/`a b`/pays()", "\"pays (\\\"twice\\\")\""] {
            let tests = TestOutput("\(own)◇ Test \(name) started.\n✔ Test \(name) passed after 1 s.\n")
            #expect(tests.began == [name] && tests.open.isEmpty)
        }
        let tests = TestOutput("◇ Test pays(amount:) started.\n✔ Test pays(amount:) passed after 1 s.")
        report.tests[0].name = "pays(amount:) [12]"
        #expect(tests.bad(report) == ["pays(amount:)"])
        #expect(tests.bad(Report()).isEmpty)
    }
}

@Suite("Suggested marks")
struct SuggestedMarkTests {
    private func failure(_ message: String, line: Int = 31) -> TestOutput.TestFailure {
        .init(test: "C.t", file: "Tests/C.swift", line: line, message: message, isXCTest: true)
    }

    private func suggested(_ runs: [[TestOutput.TestFailure]]) -> [SuggestedMark] {
        SuggestedMark.suggestions(for: runs.map { (nil, $0) }, under: [])
    }

    @Test("suggested marks are for lines that fail in some runs, the most frequent first")
    func places() {
        let always = failure("broken", line: 1)
        let runs = [
            [always, failure("late"), failure("late")], [always], [always, failure("late"), failure("torn", line: 9)],
        ]
        let marks = suggested(runs)
        #expect(marks.map(\.place) == ["Tests/C.swift:31", "Tests/C.swift:9"])
        #expect(marks.first?.sentence == "Tests/C.swift:31 failed in 2 of 3 runs (20.8 % to 93.9 %): late")
        #expect(
            marks.first?.advice
                == #"to contain it, in a class that inherits from RetryableTestCase, put it into flaky(.fixable(reason: "…", matching: "late")) { … }"#
        )
        #expect(suggested([]).isEmpty)
    }

    @Test("a suggested mark holds all failures of its line in a run, not only the first")
    func twice() {
        let both = [failure("the first is late"), failure("the second is late")]
        let marks = suggested([both, [both[0]], []])
        #expect(marks.map(\.mark) == [#"flaky(.fixable(reason: "…", matching: "is late")) { … }"#])
        #expect(marks.map(\.bad) == [2])
    }

    @Test("a crash has the place in its first backtrace, and advice how to contain it")
    func crashes() {
        let start = "Test Case 'C.testGoes' started at\n"
        let fatal = "/x/C.swift:8: Fatal error: gone\n"
        let trace = """
            *** Program crashed: Illegal instruction at 0x00007f83e88f9361 ***

            Thread 0 "ShopPackageTest" crashed:

              0               0x00007f83e88f9361 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so
              1 [ra] [system] 0x000055d23348e689 implicit closure #1 in C.testGoes() + 120 in x at /shop/Tests/C.swift:3:1
              2 [ra]          0x000055f6b235b617 C.testGoes() + 118 in ShopPackageTests.xctest at /shop/Tests/C.swift:8:24

            Thread 1 "other":

              0 0x1 other() + 1 in x at /shop/Tests/Other.swift:1:1

            """
        let outputs = [start + fatal, start + fatal + trace, start + "Test Case 'C.testGoes' passed (0.1 seconds)"]
        let runs = outputs.map { TestOutput($0).crashes }
        let marks = suggested(runs)
        #expect(
            marks.map(\.sentence) == [
                "/shop/Tests/C.swift:8 crashed in 2 of 3 runs (20.8 % to 93.9 %): Fatal error: gone"
            ]
        )
        let mark = #"flaky(.fixable(reason: "…")) { … }"#
        #expect(
            marks.first?.advice
                == "to contain it, run with RETRYABLE_SUPERVISE=1 (on Linux), and put the part of C.testGoes that "
                + "crashes or hangs into \(mark)"
        )
        #expect(TestOutput(start + trace).crashes.first?.message == "Illegal instruction")

        let hangs = suggested([TestOutput(start).crashes, []])
        #expect(hangs.map(\.sentence) == ["C.testGoes did not end in 1 of 2 runs (9.5 % to 90.6 %)"])
        let two = "◇ Test a() started.\n◇ Test pays(amount:) started.\n"
        let inTesting = TestOutput(two + trace.replacing("C.testGoes()", with: "S.pays(amount:)")).crashes.first
        #expect(inTesting?.test == "pays(amount:)")
    }

    @Test("a crash among tests that run beside each other is none of theirs, unless its backtrace names one")
    func crashBesideOthers() {
        func crashed(in call: String, _ lines: String..., later: [String] = []) -> TestOutput {
            let trace = "*** Program crashed: Aborted at 0x7d45 ***\n\nThread 0 crashed:\n\n  1 0x1 \(call) + 1 in x\n"
            return TestOutput((lines + [trace] + later).joined(separator: "\n"))
        }
        let (orders, the) = ("◇ Test Orders/pays() started.", "◇ Test TheOrders/pays() started.")
        #expect(crashed(in: "Orders.pays()", orders, the).crashes.first?.test == "Orders/pays()")
        #expect(crashed(in: "TheOrders.pays()", orders, the).crashes.first?.test == "TheOrders/pays()")
        let unknown = crashed(in: "closure #1 in Cart.load()", orders, the)
        #expect(unknown.crashes.first?.test == "one of several tests")
        #expect(unknown.open == ["Orders/pays()", "TheOrders/pays()"])
        #expect(crashed(in: "Cart.load()", orders).crashes.first?.test == "Orders/pays()", "it ran alone")
        let load = "◇ Test load() started."
        let reload = crashed(in: "Cart.reload()\n  2 0x1 Orders.pays()", orders, load)
        #expect(reload.crashes.first?.test == "Orders/pays()")
        // A task may outlive its test.
        let left = crashed(in: "closure #1 in Cart.load()", orders, load, "✔ Test load() passed after 1 s.")
        #expect(left.crashes.first?.test == "Orders/pays()", "another load()")
        let cart = ["◇ Test Cart/load() started.", "✔ Test Cart/load() passed after 0.1 seconds.", orders]
        let outlived = crashed(in: "closure #1 in Cart.load()", cart.joined(separator: "\n"))
        #expect(outlived.crashes.first?.test == "Cart/load()")
        // The name of an inherited test is its base class's in a backtrace.
        let base = "Test Case 'Base.testPays' started at\nTest Case 'Base.testPays' passed (0.1 seconds)"
        let inherited = crashed(in: "Base.testPays()", base, "Test Case 'Sub.testPays' started at")
        #expect(inherited.crashes.first?.test == "Sub.testPays" && inherited.crashes.first?.isLeftBehind == false)
        // Suites inherit none, and what an ended test did not leave behind is another's call of its function.
        let other = crashed(in: "closure #1 in Cart.load()", cart[0], cart[1], "◇ Test Other/load() started.")
        #expect(other.crashes.first?.test == "Cart/load()")
        #expect(crashed(in: "Cart.load()", cart.joined(separator: "\n")).crashes.first?.test == "Orders/pays()")
        // The process of an exit test, or a supervised one, has crashed before, and then tests went on.
        let before = crashed(in: "closure #1 in Cart.load()", cart[0], later: Array(cart[1...])).crashes.first
        #expect(before?.test == "Orders/pays()" && before?.message == "")
        // No test may be open then; a process that only printed a backtrace, such as a supervised one, has not crashed.
        #expect(crashed(in: "closure #1 in Cart.load()", cart[0], cart[1]).crashes.isEmpty)
        let death = "error: Exited with unexpected signal code 4"
        let last = crashed(in: "closure #1 in Cart.load()", cart[0], cart[1], death)
        #expect(last.crashes.first?.test == "Cart/load()" && last.crashes.first?.isLeftBehind == true)
        // SwiftPM's line may stand before what the process wrote, and another process's tests after it.
        let running = "◇ Test run started.\n◇ Test Orders/pays() started.\n✔ Test Orders/pays() passed after 1 s."
        let ended = "Test Case 'S.testA' started at\nTest Case 'S.testA' passed (0.1 seconds)"
        let late = "\(ended)\nTest Case 'S.testB' started at"
        let mixed = crashed(in: "closure #1 in S.testA()", death, late, later: [running]).crashes
        #expect(mixed.map(\.test) == ["S.testA"] && mixed[0].isLeftBehind)
        let resumed = "Test Case 'S.testB' passed (0.1 seconds)\nTest Case 'S.testC' started at\n\(death)"
        let beside = crashed(in: "closure #1 in S.testA()", late, later: [resumed]).crashes
        #expect(beside.map(\.test) == ["S.testA"], "the others went on for a moment")
        let cut = "Test Suite 'Selected tests' started at 9:30\n\(late)"
        let after = "Test Case 'S.testB' passed (0.1 seconds)"
        #expect(crashed(in: "closure #1 in S.testA()", cut, later: [after]).crashes.map(\.test) == ["S.testA"])
        // A supervised process of Swift Testing has crashed, and the next one hangs.
        let next = "Retryable: load() crashed\(TestOutput.nextProcess)\n◇ Test run started.\n\(orders)"
        let hung = crashed(in: "closure #1 in main", later: [next]).crashes
        #expect(hung.map(\.test) == ["Orders/pays()"] && hung[0].message.isEmpty)
        // The process of an exit test, whose body is a closure of its test, and later a hang.
        let exitTest = "Test Suite 'Selected tests' started at 9:30\nTest Case 'S.testA' started at 9:30"
        let afterwards = "Test Case 'S.testA' passed (0.1 seconds)\nTest Case 'S.testB' started at 9:30"
        let later = crashed(in: "closure #1 in S.testA()", exitTest, later: [afterwards]).crashes
        #expect(later.map(\.test) == ["S.testB"])
        let apart = crashed(in: "closure #1 in S.testA()", late, "Test Case 'Other.testX' started at", later: [death])
        #expect(apart.crashes.map(\.test) == ["Other.testX", "S.testB"], "which process it is of is not known")
        let tool = crashed(in: "main", late, later: [resumed]).crashes
        #expect(tool.map(\.test) == ["S.testC"] && tool[0].message.isEmpty, "the backtrace is another program's")
        // Which of two processes has which reason is not known without backtraces, and which of two backtraces is whose.
        let one = "Test Case 'S.testPays' started at\nFatal error: one\n\(death)\n"
        let two = TestOutput("\(one)\(orders)\nFatal error: two\n")
        #expect(two.crashes.map(\.message) == ["", ""])
        let trace = "\nThread 0 crashed:\n\n  1 0x1 closure #1 in Cart.load() + 1 in x at /shop/Cart.swift:3:1\n"
        let unnamed = trace.replacing("Cart.load()", with: "main")
        let second = TestOutput(cart[0] + "\n" + cart[1] + trace + death + "\n" + orders + unnamed).crashes
        #expect(second.map(\.test) == ["Orders/pays()"] && second[0].file == nil)
        // A test that flaked shows as skipped, and its retry may crash.
        let flaked = "Test Case 'S.testPays' started at\nTest Case 'S.testPays' skipped (0.1 seconds)"
        let retried = crashed(in: "S.testPays()", flaked, "Test Case 'S.testPays' started at").crashes
        #expect(retried.map(\.test) == ["S.testPays"] && retried[0].isLeftBehind == false)
        // With --parallel, each XCTest has a process of its own.
        let alone = crashed(in: "Cart.load()", "Test Case 'S.testPays' started at", orders, the)
        #expect(alone.crashes.map(\.test) == ["S.testPays", "one of several tests"])
        let both = crashed(in: "Orders.pays()", "Test Case 'S.testPays' started at", orders)
        #expect(both.crashes.map(\.test) == ["S.testPays", "Orders/pays()"] && both.crashes[0].message == "")
    }

    @Test(
        "a suggested mark has as many retries as twenty runs need under the condition that makes them fail most",
        arguments: [
            (0, 0, ".fixable(reason: \"…\""), (1, 0, ".fixable(reason: \"…\""),
            (0, 2, ".notFixable(reason: \"…\", maxRetryCount: 2"),
            (5, 0, ".notFixable(reason: \"…\", maxRetryCount: 4"),
            (0, 10, ".notFixable(reason: \"…\", maxRetryCount: 8"), (0, 11, ".fixable(reason: \"…\""),
        ]
    )
    func retries(asIs: Int, load: Int, kind: String) {
        func runs(_ condition: Condition, _ bad: Int) -> [SuggestedMark.Run] {
            (0..<20).map { (condition == .memory ? nil : condition, $0 < bad ? [failure("late")] : []) }
        }
        // A condition that is no cause has failed by chance.
        let all = runs(.memory, asIs) + runs(.load, load) + runs(.oneCore, 20)
        let mark = SuggestedMark.suggestions(for: all, under: [nil, .load])[0]
        #expect(mark.mark == "flaky(\(kind), matching: \"late\")) { … }")
        let excess = "no mark holds what fails in 11 of 20 runs under load; to contain it elsewhere, in a class"
        #expect(mark.advice.hasPrefix(load > 10 ? excess : "to contain it, in a class"))
    }

    @Test("a suggested mark has as many retries as its test needs, of which other lines may fail, too")
    func retriesOfTest() {
        let runs = (0..<20).map { [$0 < 4 ? failure("late") : nil, 2..<5 ~= $0 ? failure("torn", line: 9) : nil] }
        let all = runs.map { (condition: Condition?.none, failures: $0.compactMap(\.self)) }
        let marks = SuggestedMark.suggestions(for: all, under: [nil])
        #expect(marks.map(\.bad) == [4, 3])
        #expect(marks.allSatisfy { $0.mark?.contains("maxRetryCount: 4") == true })
    }

    @Test("suggested marks are for failures that no mark of the report has")
    func unmarked() {
        var report = Report()
        report.tests = [Sample.flaked("late", in: 1), Sample.flaked("late", in: 2)]
        (report.tests[0].name, report.tests[1].name) = ("-[C t]", "A/t(of:) [1]")
        let failures = [
            Failure(message: "XCTAssertTrue failed - ", file: "Tests/C.swift", line: 31, kind: .assertion),
            Failure(message: "threw error \"Late()\"", file: nil, line: nil, kind: .error),
        ]
        for index in 0..<2 {
            report.tests[index].attempts = [
                AttemptRecord(number: 2, outcome: .failed, startedAt: Sample.now, duration: 0, failures: failures)
            ]
        }
        let output = TestOutput(
            """
            /shop/Tests/C.swift:31: error: C.t : XCTAssertTrue failed - 
            /shop/Tests/C.swift:32: error: C.t : XCTAssertTrue failed - 
            /shop/Tests/C.swift:31: error: C.u : XCTAssertTrue failed - 
            <EXPR>:0: error: C.t : threw error "Late()"
            <EXPR>:0: error: C.t : threw error "Torn()"
            <EXPR>:0: error: C.u : threw error "Late()"
            """
        )
        let rest = output.unmarkedFailures(report)
        #expect(rest.map { "\($0.test) \($0.line ?? 0)" } == ["C.t 32", "C.u 31", "C.t 0", "C.u 0"])
        #expect(rest[2].message == "threw error \"Torn()\"")
        // Swift Testing's events have a place for an error, and the report has none.
        let place = #""issue":{"sourceLocation":{"filePath":"/shop/A.swift","line":7}}"#
        let error = #""messages":[{"text":"threw error \"Late()\""}]"#
        func unmarked(_ test: String, _ report: Report) -> Int {
            let event = #"{"payload":{"kind":"issueRecorded","testID":"M.\#(test)/A.swift:1:2",\#(place),\#(error)}}"#
            return TestOutput("", events: event).unmarkedFailures(report).count
        }
        #expect(unmarked("A/t(of:)", report) == 0 && unmarked("B/t(of:)", report) == 1)
        #expect(unmarked("A/t(of:)", Report()) == 1)
        // Without events, the name of the file is all there is.
        let names = ["C.swift", "LateC.swift", "/a/shared/LateC.swift", "OtherC.swift"]
        let lines = names.map { "✘ Test t(of:) recorded an issue at \($0):31:9: no" }
        report.tests[1].attempts[0].failures.removeLast()
        report.tests.removeFirst()
        func others(than path: String) -> [String?] {
            report.tests[0].attempts[0].failures[0].file = path
            return TestOutput(lines.joined(separator: "\n")).unmarkedFailures(report).map(\.file)
        }
        #expect(others(than: "Tests/LateC.swift") == ["C.swift", "/a/shared/LateC.swift", "OtherC.swift"])
        #expect(others(than: "../../shared/LateC.swift") == ["C.swift", "OtherC.swift"])
    }

    @Test(
        "a suggested mark matches what all messages share, without what may be another tomorrow",
        arguments: [
            (["late by 3 s", "late by 4 s"], #", matching: "late by""#),
            (["late by 3 s"], #", matching: "late by""#),
            (["late by 3 s", "late by 3 s"], #", matching: "late by""#),
            (["3 of 4 came late today", "5 of 6 came late today"], #", matching: "came late today""#),
            (["at 0x7f3a: no such file /tmp/a/b in the cache"], #", matching: "no such file""#),
            (
                [#"("apple") is not equal to ("pear")"#, #"("plum") is not equal to ("fig")"#],
                #", matching: "is not equal to""#
            ),
            (["is 3", "is 4"], ""),
            (["late\ttoday", "late\ttoday"], #", matching: "late\ttoday""#),
            (["all(items) { item in\n    item.isNew\n}"], #", matching: "all(items) { item in""#),
            ([#"("a\b") is not "x""#], #", matching: "(\"a\\b\") is not \"x\"""#),
            (["early", "late"], ""),
        ]
    )
    func matching(messages: [String], expected: String) {
        let marks = suggested(messages.map { [failure($0)] } + [[]])
        #expect(marks.map(\.mark) == [#"flaky(.fixable(reason: "…"\#(expected))) { … }"#])
    }
}

@Suite("Data races")
struct RacesTests {
    private static let report = """
        ==================
        WARNING: ThreadSanitizer: data race (pid=10372)
          Write of size 8 at 0x720800000ed0 by main thread:
            #0 Cart.add() /shop/Sources/Shop/Cart.swift:4:31 (x+0x10a577)
            #1 main /shop/.build/retries-why/runner.swift (x+0x14dd15)

          Previous read of size 8 at 0x720800000ed0 by thread T4:
            #0 swift_retain <null> (libswiftCore.so+0x46fa6e)
            #1 closure #1 in Cart.total.getter /shop/Sources/Shop/Total.swift:9 (x+0x10a577)

          Location is heap block of size 24 at 0x720800000ec0 allocated by main thread:
            #2 Other.init() /shop/Tests/Other.swift:56:23 (x+0x157aaf)
        ==================
        """

    @Test("data races are named by the functions and the files of the package")
    func names() {
        let foreign =
            Self.report.replacing("/shop/", with: "/toolchain/")
            + Self.report.replacing("/shop/", with: "/shop/Sub/.build/retries-why/checkouts/")
        let output = Array((Self.report + foreign).utf8)
        #expect(
            DataRaces.sentences(in: output, folder: "/shop") == [
                "a data race: Cart.add() in Sources/Shop/Cart.swift and closure #1 in Cart.total.getter in Sources/Shop/Total.swift"
            ]
        )
    }
}

@Suite("The conditions of a run")
struct ConditionTests {
    @Test("a condition that has to change the command is not available for commands that it cannot change")
    func arguments() {
        let command = ["swift", "test", "--skip-build", "--filter", "A", "--filter=B", "-only-testing:C"]
        #expect(Condition.withAll.arguments(command) == ["swift", "test", "--skip-build"])
        let races = Condition.races.arguments(["xcrun", "/usr/bin/swift", "test", "--skip-build", "--filter", "A"])
        #expect(
            races?[4].hasPrefix("TSAN_OPTIONS=\"history_size=7:$TSAN_OPTIONS\" \"$@\" 2>&1 | swift demangle") == true
        )
        #expect(
            races?.suffix(8) == [
                "xcrun", "/usr/bin/swift", "test", "--sanitize=thread", "--scratch-path", ".build/retries-why",
                "--filter", "A",
            ]
        )
        let ownFolder = ["swift", "test", "--scratch-path", "a", "--scratch-path=b"]
        #expect(Condition.races.arguments(ownFolder)?.last == ".build/retries-why")
        #expect(Condition.memory.arguments(command) == command)
        #expect(Condition.withAll.arguments(["swift", "test"]) == nil)
        #expect(Condition.races.arguments(["swift", "run"]) == nil)
        #expect(Condition.races.arguments(["make", "test"]) == nil)
        #expect(Condition.oneCore.arguments(["make"]) == nil || Condition.narrowPool.arguments(["make"]) == nil)
        let status = { (list: String) in "Cpus_allowed:\tf0\nCpus_allowed_list:\t\(list)\nMems_allowed_list:\t0-1\n" }
        let processors = ["0-3", "4-7,12", "2,9", "0", "12"].map { Condition.oneOfProcessors(status($0)) }
        #expect(processors == ["0", "4", "2", nil, nil])
        #expect(Condition.oneOfProcessors("") == nil)
    }

    @Test("delays leave what the user preloads where it is, and are long and short in turn")
    func preloads() {
        func environment(_ preloaded: String?, _ turn: Int) -> [String: String] {
            Delays(folder: "/t").environment(turn: turn, preloaded: preloaded)
        }
        #expect(environment(nil, 0) == ["LD_PRELOAD": "/t/delays.so", "RETRIES_DELAYS": "1,20000,/t/delays"])
        #expect(environment("", 1) == ["LD_PRELOAD": "/t/delays.so", "RETRIES_DELAYS": "5,5000,/t/delays"])
        #expect(environment("/lib/own.so", 2)["LD_PRELOAD"] == "/lib/own.so:/t/delays.so")
    }

    @Test("the conditions of a run claim no more than their runs show")
    func sentences() {
        func sentence(_ bad: Int, _ condition: Condition) -> String {
            let finding = condition.finding(Tally(runs: 24, bad: bad), asIs: Tally(runs: 24, bad: 10))
            return "\(finding.cause ?? "none"): it \(finding.observation)"
        }
        let race = "It fails only if things happen fast, as when two threads race:"
        #expect(sentence(0, .load) == "\(race) it did not fail in 24 runs when processors are busy")
        #expect(sentence(4, .oneCore) == "\(race) it fails less often on one processor")
        let time = "It waits for time, or relies on something being done in time:"
        #expect(sentence(20, .load) == "\(time) it fails more often when processors are busy")
        #expect(
            sentence(20, .oneCore)
                == "It needs threads side by side, or in an order that nothing guarantees: "
                + "it fails more often on one processor"
        )
        #expect(sentence(4, .delays) == "none: it fails less often when threads are delayed")
        let order = "It relies on something being done in time, or in an order that nothing guarantees:"
        #expect(sentence(24, .delays) == "\(order) it failed in each run when threads are delayed")
        #expect(sentence(9, .taskOrder) == "It depends on the order of tasks: it failed with 9 of 24 orders")
        let memory = "It reads uninitialized or freed memory:"
        #expect(sentence(4, .memory) == "\(memory) it fails less often when that holds rubbish")
    }
}

extension TestOutput {
    fileprivate init(_ output: String, events: String = "") {
        self.init(Array(output.utf8), events: Array(events.utf8))
    }
}
