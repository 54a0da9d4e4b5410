@_exported import AppAutomation
import Groundwork
import Testing
@_exported import XCTest

/// One test of XCTest, or the time between two tests. Failures are reported to it, and apps end with it. One is enough for
/// XCTest, which runs one test at a time. Swift Testing's tests need none, because each is identified by its task.
final class TestScope: Sendable {
    /// The framework that a failure is reported to. It is `unknown` until XCTest is seen to run a test.
    enum Reporter { case swiftTesting, xctest, unknown, nobody }

    private static let now = Locked<TestScope?>(nil)
    /// SwiftPM starts a process for each of the two frameworks.
    private static let isSwiftTestingProcess = zip(CommandLine.arguments, CommandLine.arguments.dropFirst())
        .contains { $0 == ("--testing-library", "swift-testing") }

    /// The apps of the test, and the reporter where no test of Swift Testing is the current one.
    private let state: Locked<(reporter: Reporter, apps: [AppConnection])>
    /// The time of the test's beginning on the monotonic clock; `nil` if it was not observed.
    private let start: UInt64?

    private init(_ reporter: Reporter, start: UInt64? = DispatchTime.now().uptimeNanoseconds) {
        state = Locked((reporter, []))
        self.start = start
    }

    /// The scope of what begins now.
    static var current: TestScope {
        now.withLock { now in
            if let now { return now }
            let first = TestScope(isSwiftTestingProcess ? .swiftTesting : .unknown, start: nil)
            now = first
            #if canImport(Darwin)
                // Apple's XCTest takes observers only on the main thread.
                if Thread.isMainThread { Observer.add() } else { DispatchQueue.main.async { Observer.add() } }
            #else
                Observer.add()
            #endif
            return first
        }
    }

    /// Returns the events of this process that count for a test case: what was announced since its start.
    static func events(of test: XCTestCase) -> EventSource {
        let (run, scope) = (test.testRun, current)
        if let run, run.stopDate == nil { scope.state.withLock { $0.reporter = .xctest } }
        let age = UInt64(max(run?.startDate.map { -$0.timeIntervalSinceNow } ?? 0, 0) * 1e9)
        let start = scope.start ?? DispatchTime.now().uptimeNanoseconds - age
        return EventSource(elementsSince: start, scope: scope)
    }

    /// The scope of what begins now for this one: that of the test that runs, if this one's has ended.
    var orCurrent: TestScope { state.withLock { $0.reporter == .nobody } ? .current : self }

    var reporter: Reporter { Test.current != nil ? .swiftTesting : state.withLock { $0.reporter } }

    /// Fails the test at a line. If the test has ended, another may be running, so standard error gets the message instead.
    func fail(_ message: String, _ file: StaticString, _ line: UInt) {
        switch reporter {
        case .swiftTesting: Issue.record(Comment(rawValue: message), sourceLocation: place(file, line))
        case .xctest, .unknown: failingTestOfXCTest(message) { XCTFail(message, file: file, line: line) }
        case .nobody:
            writeToStandardError("AutomationTesting: \(message); no test fails, because the one that waited has ended")
        }
    }

    /// Fails the test at a line, and makes an error that stops it without being reported again.
    func stop(_ message: String, _ file: StaticString, _ line: UInt) -> any Error {
        do {
            let app: AppConnection? = nil
            switch reporter {
            case .swiftTesting:
                _ = try #require(app, Comment(rawValue: message), sourceLocation: place(file, line))
            // XCTest has no public error that stops a test, but throws one where `nil` is unwrapped.
            case .xctest, .unknown:
                try failingTestOfXCTest(message) { _ = try XCTUnwrap(app, message, file: file, line: line) }
            case .nobody: fail(message, file, line)
            }
            return AutomationError(.launch, message)
        } catch {
            return error
        }
    }

    /// Has XCTest record a failure, and ends the process if no test of XCTest is known to run, because then nothing would fail: an
    /// issue of Swift Testing without a current test ends a process of Xcode's without a word on what failed.
    private func failingTestOfXCTest(_ message: String, record: () throws -> Void) rethrows {
        let before = reporter == .unknown ? SeenXCTest.failures.withLock(\.self) : nil
        defer {
            if SeenXCTest.hasLostFailure(since: before) {
                writeToStandardError("AutomationTesting: \(message); the process ends, because no test is known to run")
                exit(1)
            }
        }
        try record()
    }

    /// Runs `body`; an error fails the test at a line and stops it.
    func stoppingTest<Result>(_ file: StaticString, _ line: UInt, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw stop("\(error)", file, line)
        }
    }

    private func place(_ file: StaticString, _ line: UInt) -> SourceLocation {
        let name = "\(file)".split(separator: "/").last ?? "Unknown.swift"
        let module = Test.current?.sourceLocation.moduleName ?? "AutomationTesting"
        return SourceLocation(fileID: "\(module)/\(name)", filePath: "\(file)", line: Int(max(line, 1)), column: 1)
    }

    /// Keeps an app until the test ends, and ends it then.
    func endWithTest(_ app: AppConnection) { state.withLock { $0.apps.append(app) } }

    private final class Observer: NSObject, XCTestObservation {
        static func add() {
            XCTestObservationCenter.shared.addTestObserver(Observer())
            SeenXCTest.failures.withLock { $0 = $0 ?? 0 }
        }

        #if canImport(Darwin)
            func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) { SeenXCTest.countFailure() }
            func testCase(_ testCase: XCTestCase, didRecord expectedFailure: XCTExpectedFailure) {
                SeenXCTest.countFailure()
            }
        #else
            func testCase(_: XCTestCase, didFailWithDescription _: String, inFile _: String?, atLine _: Int) {
                SeenXCTest.countFailure()
            }
        #endif

        func testCaseWillStart(_ testCase: XCTestCase) {
            // An app of the first class's `setUp` is no test's.
            let before = TestScope.now.withLock { exchange(&$0, with: TestScope(.xctest)) }
            before?.state.withLock { $0 = (.nobody, []) }
        }

        /// An observer and not a teardown block, because XCTest allows none to be added once `tearDown` runs.
        func testCaseDidFinish(_ testCase: XCTestCase) {
            // Without a current test, an issue of Swift Testing fails the run, and `XCTFail` has no effect.
            let next = TestScope(isSwiftTestingProcess ? .swiftTesting : .nobody)
            let ended = TestScope.now.withLock { exchange(&$0, with: next) }
            let state = ended?.state.withLock { exchange(&$0, with: (.nobody, [])) }
            state?.apps.reversed().forEach { $0.finish() }
        }
    }
}
