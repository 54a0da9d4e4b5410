import Foundation
import RetryReport
import Retryable
import RetryableTesting
import Testing

/// A rule, and all that is to be seen of it: a test of each framework goes wrong in the same way.
///
///     Row("1: a failure in a section with retries left is a flake", [.flaked, .passed])
///         .both { test in test.flaky(.race) { test.failOnce() } }
///
/// The test runs in a process for each framework. `xctest` and `testing` take tests that are not the same in both.
struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// How the attempts in the report ended; empty if the test is not to be there.
    var attempts: [Attempt]
    /// The failures, in order.
    var failures: [Failure]
    /// The issues known to the test of Swift Testing itself, which come after the flakes.
    var known: [String]
    /// The lines that the test prints; not compared if `nil`.
    var printed: [String]?
    var environment: [String: String]
    /// Its line is the row's name in the processes that run its tests.
    var sourceLocation: SourceLocation

    private var xctest: (any Program.Type)?
    private var testing: String?
    fileprivate var setUp, test, tearDown: Body?
    fileprivate var asyncTest: (@Sendable (RetryableTestCase) async throws -> Void)?
    fileprivate var swiftTest: (@Sendable () async throws -> Void)?
    private var checkXCTest: XCTestCheck?
    private var checkTesting: TestingCheck?

    init(
        _ description: String,
        _ attempts: [Attempt] = [],
        failures: [Failure] = [],
        known: [String] = [],
        printed: [String]? = nil,
        environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        testDescription = description
        self.attempts = attempts
        self.failures = failures
        self.known = known
        self.printed = printed
        self.environment = environment
        self.sourceLocation = sourceLocation
    }
}

// MARK: - What is seen

extension Row {
    /// The ending of an attempt in the report, and in XCTest's output.
    struct Attempt: Sendable {
        var outcome: AttemptRecord.Outcome
        /// The reasons of its flakes, in order; XCTest shows the first, if the attempt is retried.
        var reasons: [String] = []
        var ending = "failed"

        static let flaked = flaked(times: 1)
        static let passed = Attempt(outcome: .passed, ending: "passed")
        static let failed = Attempt(outcome: .failed)
        static let flakedAndFailed = failed("a race")
        static let skipped = Attempt(outcome: .skipped)

        static func flaked(_ reasons: String...) -> Attempt {
            Attempt(outcome: .flaked, reasons: reasons, ending: "skipped")
        }

        static func flaked(times count: Int) -> Attempt {
            Attempt(outcome: .flaked, reasons: Array(repeating: "a race", count: count), ending: "skipped")
        }

        /// Flaked in `tearDown`, too late for XCTest to show it as skipped.
        static func flakedLate(_ reason: String = "a race") -> Attempt {
            Attempt(outcome: .flaked, reasons: [reason], ending: "passed")
        }

        /// Flaked, and failed for real.
        static func failed(_ reasons: String...) -> Attempt { Attempt(outcome: .failed, reasons: reasons) }
    }

    /// A failure in the words of each framework; a literal is that of the one framework that has such a case.
    struct Failure: Sendable, ExpressibleByStringInterpolation {
        var xctest: String
        var testing: String

        init(_ xctest: String, testing: String) { (self.xctest, self.testing) = (xctest, testing) }

        init(stringLiteral words: String) { self.init(words, testing: words) }

        /// The failure of `XCTFail` or `Issue.record`.
        static func recorded(_ message: String) -> Failure {
            Failure("failed - \(message)", testing: "Issue recorded: \(message)")
        }

        static func thrown(_ error: String) -> Failure {
            Failure("threw error \"\(error)\"", testing: "Caught error: \(error)")
        }
    }
}

// MARK: - What goes wrong

extension Row {
    typealias Body = @Sendable (RetryableTestCase) throws -> Void
    typealias XCTestCheck = @Sendable (WholeRun) throws -> Void
    typealias Check = @Sendable (_ lines: [String], Report) throws -> Void
    typealias TestingCheck = @Sendable (SwiftTestingRun) throws -> Void

    /// Both columns: a test, and what else is expected of our lines on standard error and of the report.
    func both(_ test: @escaping @Sendable (EitherTest) throws -> Void, expecting check: Check? = nil) -> Row {
        xctest {
            try test(EitherTest(xctest: $0))
        } expecting: {
            try check?($0.errorOutput, $0.report)
        }
        .testing {
            try test(EitherTest(xctest: nil))
        } expecting: {
            try check?($0.ourLines, $0.report)
        }
    }

    @_disfavoredOverload
    func both(_ test: @escaping @Sendable (EitherTest) async throws -> Void) -> Row {
        xctest { try await test(EitherTest(xctest: $0)) }.testing { try await test(EitherTest(xctest: nil)) }
    }

    /// The column of XCTest: a test, and what else is expected of its run.
    func xctest(
        setUp: Body? = nil,
        _ test: @escaping Body,
        tearDown: Body? = nil,
        expecting check: XCTestCheck? = nil
    ) -> Row {
        var row = xctest(RowTest.self, expecting: check)
        (row.setUp, row.test, row.tearDown) = (setUp, test, tearDown)
        return row
    }

    @_disfavoredOverload
    func xctest(
        _ test: @escaping @Sendable (RetryableTestCase) async throws -> Void,
        expecting check: XCTestCheck? = nil
    ) -> Row {
        var row = xctest(RowTest.self, expecting: check)
        row.asyncTest = test
        return row
    }

    /// The column of XCTest where a test needs a class of its own.
    func xctest(_ program: any Program.Type, expecting check: XCTestCheck? = nil) -> Row {
        var row = self
        (row.xctest, row.checkXCTest) = (program, check)
        return row
    }

    /// The column of Swift Testing: a test, and what else is expected of its run.
    func testing(_ test: @escaping @Sendable () async throws -> Void, expecting check: TestingCheck? = nil) -> Row {
        var row = testing("RowSuite", expecting: check)
        row.swiftTest = test
        return row
    }

    /// The column of Swift Testing where a test needs traits, or a suite of its own: `Suite/test`.
    func testing(_ tests: String, expecting check: TestingCheck? = nil) -> Row {
        var row = self
        (row.testing, row.checkTesting) = (tests, check)
        return row
    }
}

/// A test of either framework, for rows that are the same in both.
struct EitherTest: Sendable {
    /// `nil` in Swift Testing.
    nonisolated(unsafe) fileprivate let xctest: RetryableTestCase?  // used by tasks that end before the test

    var retryCount: Int { xctest?.retryCount ?? Test.retryCount }

    func fail(_ message: String) {
        if xctest == nil { Issue.record(Comment(rawValue: message)) } else { XCTFail(message) }
    }

    func failOnce(_ message: String = "too early") { if retryCount == 0 { fail(message) } }

    func throwOnce() throws { if retryCount == 0 { throw Boom() } }

    func flaky(_ mark: Flakiness, _ section: () -> Void) {
        if let xctest { xctest.flaky(mark, section) } else { RetryableTesting.flaky(mark, section) }
    }

    func flaky<R>(_ mark: Flakiness, _ section: () throws -> R) throws -> R {
        try xctest.map { try $0.flaky(mark, section) } ?? RetryableTesting.flaky(mark, section)
    }

    @_disfavoredOverload
    func flaky<R: Sendable>(
        _ mark: Flakiness,
        isolation: isolated (any Actor)? = #isolation,
        _ section: () async throws -> R
    ) async throws -> R {
        guard let xctest else { return try await RetryableTesting.flaky(mark, isolation: isolation, section) }
        return try await xctest.flaky(mark, isolation: isolation, section)
    }
}

/// Rows, found by the name of their table in the processes that run their tests.
protocol RowTable {
    @RowBuilder static var rows: [Row] { get }
}

/// Has the compiler look at one row at a time.
@resultBuilder
enum RowBuilder {
    static func buildBlock(_ rows: [Row]...) -> [Row] { rows.flatMap(\.self) }
    static func buildExpression(_ row: Row) -> [Row] { [row] }
}

/// The test of the row that this process is to run.
final class RowTest: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] {
        guard let row = Row.current else { return [] }
        guard let test = row.asyncTest else { return [(self, [("test", { try ($0 as? RowTest)?.runTest() })])] }
        return [testCase([("test", asyncTest { (rowTest: RowTest) in { try await test(rowTest) } })])]
    }

    override func setUpWithError() throws { try Row.current?.setUp?(self) }
    private func runTest() throws { try Row.current?.test?(self) }
    override func tearDownWithError() throws { try Row.current?.tearDown?(self) }
}

#if PROGRAM
    @Suite(.retryable) struct RowSuite {
        @Test func test() async throws {
            let test = try #require(Row.current?.swiftTest)
            try await test()
        }
    }
#endif

// MARK: - Running it

extension Row {
    /// The row that a test gave to this process, by its table and line.
    fileprivate static let current: Row? = {
        let name = (ProcessInfo.processInfo.environment["ROW"] ?? "").split(separator: ":").map(String.init)
        let table = name.first.flatMap { ProgramRun.type(named: $0) } as? any RowTable.Type
        let row = table?.rows.first { String($0.sourceLocation.line) == name.last }
        guard row != nil || name.isEmpty else {
            print("ROW=\(name.joined(separator: ":")): no Row( begins there")
            exit(2)
        }
        return row
    }()

    /// Runs the test of each framework.
    func check(in table: any RowTable.Type) async throws {
        let environment = environment.merging(["ROW": "\(table):\(sourceLocation.line)"]) { $1 }
        if let xctest { try await check(xctest, environment) }
        if let testing { try await check(testing, environment) }
    }

    private func check(_ program: any Program.Type, _ environment: [String: String]) async throws {
        let run = try await run(
            program,
            expecting: failures.isEmpty ? .success : .failure,
            environment: environment
        )
        let errors = run.errors.map { $0.components(separatedBy: " : ").dropFirst().joined(separator: " : ") }
        #expect(errors == failures.map(\.xctest))
        let retried = attempts.filter { $0.outcome == .flaked }
        if !retried.isEmpty { #expect(run.reasons == retried.flatMap { $0.reasons.prefix(1) }) }
        let endings = attempts.isEmpty ? [failures.isEmpty ? "passed" : "failed"] : attempts.map(\.ending)
        #expect(run.cases.compactMap { $0.split(separator: " ").last.map(String.init) } == endings)
        check(run.printed, run.report)
        try checkXCTest?(run)
    }

    private func check(_ tests: String, _ environment: [String: String]) async throws {
        let run = try await SwiftTestingRun.of(tests, environment: environment)
        #expect(run.ending == (failures.isEmpty ? .success : .failure))
        #expect(run.reasons == attempts.flatMap(\.reasons) + known)
        #expect(run.failures == failures.map(\.testing))
        #expect(run.report.tests.allSatisfy { $0.name.hasPrefix(tests) })
        check(run.printed, run.report)
        try checkTesting?(run)
    }

    private func check(_ printed: [String], _ report: Report) {
        if let expected = self.printed { #expect(printed == expected, sourceLocation: sourceLocation) }
        #expect(report.tests.count == (attempts.isEmpty ? 0 : 1))
        guard let test = report.tests.first else { return }
        #expect(test.outcome == (failures.isEmpty ? .recovered : .failed))
        #expect(test.module == "WholeRunProgram")
        #expect(test.attempts.map(\.outcome) == attempts.map(\.outcome))
        #expect(test.attempts.map(\.number) == attempts.indices.map { $0 + 1 })
        #expect(test.attemptedRetries == attempts.count - 1)
        #expect(test.attempts.allSatisfy { $0.outcome == .passed || !$0.failures.isEmpty }, "the report says why")
    }
}
