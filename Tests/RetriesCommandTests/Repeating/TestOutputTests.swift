import RetryReport
import Testing

@testable import RetriesCommand

@Suite("The tests that an output names")
struct TestOutputTests {
    @Test("are XCTest's, in each of its forms")
    func xctest() {
        let linux = TestOutput(
            """
            Test Suite 'CartTests' started at 2026-11-22 13:47:49.078
            Test Case 'CartTests.testPays' started at 2026-11-22 13:47:49.078
            /shop/Tests/ShopTests/CartTests.swift:31: error: CartTests.testPays : XCTAssertEqual failed: ("2") is not equal to ("3") - 
            <EXPR>:0: error: CartTests.testPays : threw error "Late()"
            Test Case 'CartTests.testPays' failed (0.042 seconds)
            Test Case 'CartTests.testDies' started at 2026-11-22 13:47:50.000
            """
        )
        #expect(linux.began == ["CartTests.testPays", "CartTests.testDies"])
        #expect(linux.ended == ["CartTests.testPays"])
        #expect(linux.failures.map(\.place) == ["/shop/Tests/ShopTests/CartTests.swift:31", nil])
        #expect(
            linux.failures.map(\.message) == [
                #"XCTAssertEqual failed: ("2") is not equal to ("3")"#, "threw error \"Late()\"",
            ]
        )
        #expect(linux.failures.allSatisfy { $0.isXCTest && $0.test == "CartTests.testPays" })
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

    @Test("are Swift Testing's, by its events or, without these, by its lines")
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
        let id = #""testID":"ShopTests.CartTests\/coin()\/A.swift:70:6""#
        let events = """
            {"kind":"event","payload":{"kind":"testStarted","messages":[],"testID":"ShopTests.CartTests"}}
            {"kind":"event","payload":{"kind":"testStarted","messages":[],\(id)}}
            {"kind":"event","payload":{"kind":"issueRecorded",\(issue),\(id)}}
            {"kind":"event","payload":{"kind":"issueRecorded",\(known),\(id)}}
            {"kind":"event","payload":{"kind":"testEnd
            """
        let streamed = TestOutput(lines, events: events)
        #expect(streamed.began == ["CartTests/coin()"])
        #expect(streamed.ended.isEmpty)
        #expect(streamed.failures.map(\.place) == ["/shop/A.swift:71"])
        #expect(streamed.failures.map(\.message) == ["late"])
    }

    @Test("are bad if they failed, flaked, or did not end")
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
        report.retries = [Sample.flaked("late", in: 1)]
        report.retries[0].name = "-[A flakes]"
        #expect(output.bad(report) == ["A.fails", "A.flakes", "A.dies"])
        let tests = TestOutput("◇ Test pays(amount:) started.\n✔ Test pays(amount:) passed after 1 s.")
        report.retries[0].name = "pays(amount:) [12]"
        #expect(tests.bad(report) == ["pays(amount:)"])
        #expect(tests.bad(Report()).isEmpty)
    }
}

@Suite("Suggested marks")
struct SuggestedMarkTests {
    private func failure(_ message: String, line: Int = 31) -> TestOutput.TestFailure {
        .init(test: "C.t", file: "/shop/Tests/C.swift", line: line, message: message, isXCTest: true)
    }

    @Test("are for lines that fail in some runs, the most frequent first")
    func places() {
        let always = failure("broken", line: 1)
        let runs = [
            [always, failure("late"), failure("late")], [always], [always, failure("late"), failure("torn", line: 9)],
        ]
        let marks = SuggestedMark.suggestions(for: runs, in: "/shop")
        #expect(marks.map(\.place) == ["Tests/C.swift:31", "Tests/C.swift:9"])
        #expect(marks.first?.sentence == "Tests/C.swift:31 failed in 2 of 3 runs (20.8 % to 93.9 %): late")
        #expect(
            marks.first?.advice
                == #"to contain it, in a class that inherits from RetryableTestCase, put it into flaky(.fixable(reason: "…", matching: "late")) { … }"#
        )
        #expect(SuggestedMark.suggestions(for: [], in: "/shop").isEmpty)
    }

    @Test("are for failures that no mark of the report has")
    func unmarked() {
        var report = Report()
        report.retries = [Sample.flaked("late", in: 1)]
        let failures = [
            Failure(message: "XCTAssertTrue failed - ", file: "Tests/C.swift", line: 31, kind: .assertion),
            Failure(message: "threw error \"Late()\"", file: nil, line: nil, kind: .error),
        ]
        report.retries[0].attempts = [
            AttemptRecord(number: 2, outcome: .failed, startedAt: Sample.now, duration: 0, failures: failures)
        ]
        let output = TestOutput(
            """
            /shop/Tests/C.swift:31: error: C.t : XCTAssertTrue failed - 
            /shop/Tests/C.swift:32: error: C.t : XCTAssertTrue failed - 
            <EXPR>:0: error: C.t : threw error "Late()"
            <EXPR>:0: error: C.t : threw error "Torn()"
            """
        )
        let unmarked = output.unmarkedFailures(report)
        #expect(unmarked.map(\.line) == [32, nil])
        #expect(unmarked.last?.message == "threw error \"Torn()\"")
    }

    @Test(
        "hold what all messages begin with",
        arguments: [
            (["late by 3 s", "late by 4 s"], #", matching: "late by""#),
            (["late by 3 s"], #", matching: "late by""#),
            (["late by 3 s", "late by 3 s"], #", matching: "late by 3 s""#),
            (["a\tb", "a\tb"], #", matching: "a\tb""#),
            ([#"("a\b") is not "x""#], #", matching: "(\"a\\b\") is not \"x\"""#),
            (["early", "late"], ""),
        ]
    )
    func matching(messages: [String], expected: String) {
        let marks = SuggestedMark.suggestions(for: messages.map { [failure($0)] } + [[]], in: "/shop")
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

    @Test("are named by the functions and the files of the package")
    func names() {
        let foreign = Self.report.replacing("/shop/", with: "/toolchain/")
        let output = Array((Self.report + foreign).utf8)
        #expect(
            Races.sentences(in: output, folder: "/shop") == [
                "a data race: Cart.add() in Sources/Shop/Cart.swift and closure #1 in Cart.total.getter in Sources/Shop/Total.swift"
            ]
        )
    }
}

@Suite("The conditions of a run")
struct ConditionTests {
    @Test("change the command where they have to, and are not to be had where they change nothing")
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
        #expect(Condition.memory.arguments(command) == command)
        #expect(Condition.withAll.arguments(["swift", "test"]) == nil)
        #expect(Condition.races.arguments(["swift", "run"]) == nil)
        #expect(Condition.races.arguments(["make", "test"]) == nil)
        #expect((Condition.oneCore.arguments(["make"]) == nil) != (Condition.narrowPool.arguments(["make"]) == nil))
    }

    @Test("say no more than their runs show")
    func sentences() {
        func sentence(_ bad: Int) -> String {
            Condition.load.sentence(Tally(runs: 24, bad: bad), asIs: Tally(runs: 24, bad: 10))
        }
        #expect(sentence(0) == "It waits for time: it did not fail in 24 runs when processors are busy.")
        #expect(sentence(4) == "It waits for time: it fails less often when processors are busy.")
        #expect(sentence(20) == "It waits for time: it fails more often when processors are busy.")
        #expect(sentence(24) == "It waits for time: it failed in each run when processors are busy.")
    }
}

extension TestOutput {
    fileprivate init(_ output: String, events: String = "") {
        self.init(Array(output.utf8), events: Array(events.utf8))
    }
}
