import Foundation
import RetryReport
import Retryable
import TestSupport
import Testing

/// How a retry runs.
@Suite("How a retry of XCTest runs")
struct RetryTests: RowTable {
    static var rows: [Row] {
        Row("an inherited test is retried as an instance of its own subclass", [.flaked, .passed])
            .xctest(Subclass.self) { run in
                #expect(run.report.tests.map(\.name) == ["-[Subclass testFlakes]"])
            }
        Row("a test whose class changes its name has one record in the report", [.flaked, .flaked, .passed])
            .xctest(Prefixed.self) { run in
                #expect(run.report.tests.map(\.name) == ["-[Prefixed named test]"])
            }
    }

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }

    @Test("retries run after everything else, inside the outermost suite, whose totals include them")
    func order() async throws {
        let run = try await run(FlakesOnce.self)
        #expect(
            run.suites
                == ["All tests", "debug.xctest", "FlakesOnce", "Retries", "FlakesOnce"].map {
                    $0 == "debug.xctest" ? run.suites[1] : $0
                }
        )
        #expect(
            run.output.suffix(2) == [
                "Test Suite 'All tests' passed",
                "\t Executed 3 tests, with 1 test skipped and 0 failures (0 unexpected)",
            ]
        )
    }

    @Test("retries run at the end of a selection of tests, too")
    func selection() async throws {
        let run = try await run(FlakesOnce.self, selected: "FlakesOnce/testFlakes")
        #expect(run.suites == ["Selected tests", "FlakesOnce", "Retries", "FlakesOnce"])
        #expect(run.cases == ["FlakesOnce.testFlakes skipped", "FlakesOnce.testFlakes passed"])
    }

    @Test("rounds go class by class, between the fixtures of each, and leave classes alone that need no retry")
    func rounds() async throws {
        let run = try await run(First.self)
        let retries = try #require(run.output.firstIndex(of: "Test Suite 'Retries' started"))
        let rest = run.output[retries...].filter {
            $0.hasSuffix("started") || $0.hasSuffix("set up") || $0.hasSuffix("torn down")
        }
        #expect(
            rest == [
                "Test Suite 'Retries' started",
                "Test Suite 'First' started", "First set up",
                "Test Case 'First.test1' started", "Test Case 'First.test2' started", "First torn down",
                "Test Suite 'Second' started", "Second set up", "Test Case 'Second.test1' started", "Second torn down",
                "Test Suite 'First' started", "First set up", "Test Case 'First.test1' started", "First torn down",
                "Test Suite 'Second' started", "Second set up", "Test Case 'Second.test1' started", "Second torn down",
            ]
        )
        #expect(run.report.tests.map(\.name) == ["-[First test1]", "-[First test2]", "-[Second test1]"])
    }

    @Test("retries run in the same order in every process")
    func sameOrder() async throws {
        var outputs: Set<[String]> = []
        for _ in 1...6 { outputs.insert(try await run(First.self).cases) }
        #expect(outputs.count == 1)
    }

    @Test("a round waits for its delay, but not for a quiet machine once the run's processes have waited ten seconds")
    func bounded() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let flake = Date()
        var test = TestRecord(name: "-[Other test]", module: "M", mark: .race)
        test.attempts = [
            AttemptRecord(number: 1, outcome: .flaked, startedAt: flake, duration: 0),
            AttemptRecord(number: 2, outcome: .passed, startedAt: flake + 11, duration: 0),
        ]
        let other = ReportFile(url: folder.report, run: Report.Run(id: "one", startedAt: flake), process: "other")
        other.put(test)
        try other.write()
        let run = try await ChildRun.of(
            Checkout.wholeRunProgram,
            ["LeavesThreads"],
            environment: [
                "RETRYABLE_REPORT": folder.report.path, "RETRYABLE_RUN_ID": "one", "RETRYABLE_RETRY_DELAY": "0.2",
            ]
        )
        #expect(run.ending == .success)
        #expect(run.errorOutput.contains("Retryable: RETRYABLE_RETRY_DELAY=0.2: 1 wait before retries"))
        let own = try #require(Report(contentsOf: folder.report).tests.first { $0.name == "-[LeavesThreads test]" })
        #expect(own.attempts.map { $0.machine != nil } == [true, false])
        let pause = own.attempts[1].startedAt.timeIntervalSince(own.attempts[0].startedAt) - own.attempts[0].duration
        #expect(pause >= 0.2)
        // A look at the machine computes for 6 ms. The time on the clock would grow with what else runs.
        let computed = run.output.compactMap { $0.firstMatch(of: #/^computed: ([\d.e-]+)$/#).flatMap { Double($0.1) } }
        #expect(computed.count == 1)
        #expect(computed.allSatisfy { $0 < 0.12 }, "\(computed)")
    }

    @Test("a retry of a test in a suite made by hand has the parameters of that test")
    func parameters() async throws {
        let run = try await run(MadeByHand.self)
        #expect(run.printed == ["ada, attempt 1", "bob, attempt 1", "ada, attempt 2"])
        #expect(run.report.tests.map(\.outcome) == [.recovered])
    }

    @Test(
        "tests of two classes with one name have a record each, and so have tests of a class that overrides name",
        arguments: [
            (SameName.self, ["-[SameName.One.Tests test]", "-[SameName.Two.Tests test]"]),
            (Renamed.self, ["-[Renamed test1]", "-[Renamed test2]"]),
        ] as [(any Program.Type, [String])]
    )
    func names(program: any Program.Type, names: [String]) async throws {
        let run = try await run(program, expecting: .failure)
        #expect(run.report.tests.map(\.name) == names)
        #expect(run.report.tests.map(\.outcome) == [.recovered, .failed])
        let summary = ["1 failed, 1 flaky", "\(names[1]) failed, 2 attempts", "\(names[0]) passed on attempt 2 of 2"]
        #expect(zip(run.errorOutput, summary).allSatisfy { $0.hasPrefix("Retryable: \($1)") })
    }

    @Test("a hundred tests of one class that flake all recover")
    func many() async throws {
        let run = try await run(HundredFlakes.self)
        #expect(run.report.tests.count == 100)
        #expect(run.report.tests.allSatisfy { $0.outcome == .recovered })
        #expect(run.errorOutput.first == "Retryable: 100 flaky")
    }

    @Test("a test that needs two hundred retries recovers")
    func long() async throws {
        let run = try await run(FlakesOften.self)
        #expect(run.report.tests.map(\.attemptedRetries) == [200])
        #expect(run.report.tests.first?.attempts.count == 201)
    }

    @Test(
        "a run without a flake has exactly the output of XCTestCase, even of a measured block that fails",
        arguments: [(Plain.self, RetryablePlain.self), (PlainMeasures.self, Measures.self)]
            as [(any Program.Type, any Program.Type)]
    )
    func dropIn(ordinary: any Program.Type, retryable: any Program.Type) async throws {
        let plain = try await run(ordinary, expecting: .failure)
        let other = try await run(retryable, expecting: .failure)
        func asPlain(_ lines: [String]) -> [String] {
            lines.map { $0.replacing("\(retryable)", with: "\(ordinary)").replacing(#/\.swift:\d+/#, with: "") }
        }
        #expect(asPlain(other.output) == plain.output.map { $0.replacing(#/\.swift:\d+/#, with: "") })
        #expect(other.errorOutput.isEmpty && plain.errorOutput.isEmpty)
        #expect(!plain.output.isEmpty)
    }

    @Test(
        "a standard error that cannot be written to does not end the run",
        arguments: [Unheard.self, LeftAlone.self] as [any Program.Type]
    )
    func unheard(program: any Program.Type) async throws {
        let run = try await run(program)
        let cases = ["testStep passed", "testFlakes passed", "testFlakes passed"]
        #expect(run.cases.map { $0.split(separator: ".").last.map(String.init) } == cases)
        #expect(run.report.tests.map(\.outcome) == [.recovered])
        #expect(run.report.run?.finishedAt != nil)
    }

    @Test("a process that is killed leaves the tests that wait for a retry in the report, pending")
    func crash() async throws {
        let run = try await run(Crashes.self, expecting: .signal(SIGKILL))
        #expect(run.report.tests.map(\.name) == ["-[Crashes test1]"])
        #expect(run.report.tests.map(\.outcome) == [.pending])
        #expect(run.report.tests.map(\.attemptedRetries) == [0])
        #expect(run.report.run?.finishedAt == nil)
    }
}

// MARK: - Programs

/// Flakes once, beside threads that compute for ever, and prints how much processor time its own thread has had when it is retried.
final class LeavesThreads: RetryableTestCase, OneTest {
    nonisolated(unsafe) private static var timeBefore = 0.0

    func test() {
        if retryCount == 0 {
            for _ in 0..<2 * ProcessInfo.processInfo.processorCount { Thread.detachNewThread { while true {} } }
            Self.timeBefore = processorTime
        } else {
            print("computed: \(processorTime - Self.timeBefore)")
        }
        flaky(.race) { XCTAssertGreaterThan(retryCount, 0) }
    }

    /// The seconds of processor time that this thread has had.
    private var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

class First: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] {
        [
            testCase([("test1", First.test1), ("test2", First.test2), ("testPasses", First.testPasses)]),
            testCase([("test1", Second.test1)]), testCase([("test", Untouched.test)]),
        ]
    }

    override class func setUp() { print("\(self) set up") }
    override class func tearDown() { print("\(self) torn down") }

    func test1() {
        flaky(.notFixable(reason: "a race", maxRetryCount: 2)) { XCTAssertGreaterThan(retryCount, 1) }
    }

    func test2() {
        flaky(.race) { XCTAssertGreaterThan(retryCount, 0) }
    }

    func testPasses() {}
}

final class Second: First {}

final class Untouched: RetryableTestCase {
    override class func setUp() { print("\(self) set up") }
    override class func tearDown() { print("\(self) torn down") }

    func test() {}
}

class Inherited: RetryableTestCase {
    func testFlakes() {
        flaky(.race) { XCTAssertGreaterThan(retryCount, 0) }
    }
}

class Intermediate: Inherited {}

final class Subclass: Intermediate, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("testFlakes", testFlakes)])] }

    private var hasSetUp = false
    override func setUp() async throws { hasSetUp = true }

    override func testFlakes() {
        XCTAssertTrue(hasSetUp)
        super.testFlakes()
    }
}

final class Prefixed: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test", test)])] }

    required init(name: String, testClosure: @escaping XCTestCaseClosure) {
        super.init(name: "named \(name)", testClosure: testClosure)
    }

    func test() {
        flaky(.notFixable(reason: "a race", maxRetryCount: 2)) { XCTAssertGreaterThan(retryCount, 1) }
    }
}

final class Crashes: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test1", test1), ("test2", test2)])] }

    func test1() {
        flaky(.race) { XCTFail("before the crash") }
    }

    func test2() { kill(getpid(), SIGKILL) }
}

/// A suite of two instances of one test, each with a parameter of its own.
enum MadeByHand: Program {
    static var entries: [XCTestCaseEntry] { [] }

    static var suite: XCTestSuite? {
        let suite = XCTestSuite(name: "Made by hand")
        for user in ["ada", "bob"] {
            let test = OfUser(name: "test") { ($0 as? OfUser)?.test() }
            test.user = user
            suite.addTest(test)
        }
        return suite
    }

    final class OfUser: RetryableTestCase {
        var user = ""

        override func prepareRetry(_ retry: RetryableTestCase) { (retry as? OfUser)?.user = user }

        func test() {
            print("\(user), attempt \(retryCount + 1)")
            flaky(.race) { XCTAssertTrue(user == "bob" || retryCount > 0) }
        }
    }
}

enum SameName: Program {
    static var entries: [XCTestCaseEntry] {
        [testCase([("test", One.Tests.test)]), testCase([("test", Two.Tests.test)])]
    }

    enum One {
        final class Tests: RetryableTestCase {
            func test() { flaky(.race) { XCTAssertGreaterThan(retryCount, 0) } }
        }
    }

    enum Two {
        final class Tests: RetryableTestCase {
            func test() { flaky(.race) { XCTFail("always") } }
        }
    }
}

final class Renamed: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test1", test1), ("test2", test2)])] }

    override var name: String { "renamed" }

    func test1() { flaky(.race) { XCTAssertGreaterThan(retryCount, 0) } }

    func test2() { flaky(.race) { XCTFail("always") } }
}

enum HundredFlakes: Program {
    static var entries: [XCTestCaseEntry] { [(Passes.self, (1...100).map { ("test\($0)", flake) })] }

    private static func flake(_ test: XCTestCase) {
        guard let test = test as? RetryableTestCase else { return }
        test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
    }
}

final class FlakesOften: RetryableTestCase, OneTest {
    func test() {
        flaky(.notFixable(reason: "a race", maxRetryCount: 200)) { XCTAssertEqual(retryCount, 200) }
    }
}

/// The same body on both classes: without a flake, nothing tells them apart.
final class Plain: XCTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("testFails", testFails), ("testPasses", testPasses)])] }

    override func setUp() { print("setUp") }
    func testFails() throws { try Body.fail() }
    func testPasses() {}
}

final class RetryablePlain: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("testFails", testFails), ("testPasses", testPasses)])] }

    override func setUp() { print("setUp") }
    func testFails() throws { try Body.fail() }
    func testPasses() {}
}

final class PlainMeasures: XCTestCase, OneTest {
    func test() { Body.measure(self) }
}

final class Measures: RetryableTestCase, OneTest {
    func test() { Body.measure(self) }
}

private enum Body {
    static func fail() throws {
        XCTAssertEqual(1, 2, "not equal")
        throw Boom()
    }

    static func measure(_ test: XCTestCase) {
        test.continueAfterFailure = false
        test.measure { XCTFail("measured") }
    }
}

/// Has something to say on standard error, which takes nothing any more, as on a full disk.
class Unheard: RetryableTestCase, Program {
    class var entries: [XCTestCaseEntry] {
        [testCase([("testStep", Unheard.testStep), ("testFlakes", Unheard.testFlakes)])]
    }

    override class func setUp() {
        let full = open("/dev/full", O_WRONLY)
        dup2(full, STDERR_FILENO)
        close(full)
    }

    /// A step that needs a retry is told of at once.
    func testStep() {
        var tries = 0
        autoRetry(mainAction: { tries += 1 }, successCondition: { tries > 1 })
    }

    func testFlakes() {}

    /// So is a flake that comes too late for the test's own line.
    override func tearDown() {
        guard name.hasSuffix("testFlakes") else { return }
        flaky(.race) { XCTAssertGreaterThan(retryCount, 0) }
    }
}

/// Has something to say on standard error, which is a pipe that nobody reads any more.
final class LeftAlone: Unheard {
    override class var entries: [XCTestCaseEntry] {
        [testCase([("testStep", LeftAlone.testStep), ("testFlakes", LeftAlone.testFlakes)])]
    }

    override class func setUp() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return }
        dup2(ends[1], STDERR_FILENO)
        ends.forEach { close($0) }
    }
}
