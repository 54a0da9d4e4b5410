@_exported import AppAutomation
import Groundwork
import Testing
@_exported import XCTest

/// The line of a test that a failure is reported at.
struct Caller: Sendable {
    let file: StaticString
    let line: UInt

    init(_ file: StaticString, _ line: UInt) {
        (self.file, self.line) = (file, line)
    }

    /// Fails the test at this line.
    ///
    /// - Parameter scope: The test that is to fail. If it has ended, another runs by now, so a line on standard error is
    ///   written instead.
    func fail(_ message: String, in scope: TestScope) {
        switch scope.reporter {
        case .swiftTesting: Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation)
        case .xctest: XCTFail(message, file: file, line: line)
        case .nobody:
            writeToStandardError("AutomationTesting: \(message); no test fails, because the one that waited has ended")
        }
    }

    /// Fails the test at this line, and makes an error that stops it without being reported again.
    func stop(_ message: String, in scope: TestScope) -> any Error {
        do {
            switch scope.reporter {
            case .swiftTesting:
                let app: AppConnection? = nil
                _ = try #require(app, Comment(rawValue: message), sourceLocation: sourceLocation)
            // XCTest has no such error in its interface, but a nil that is unwrapped throws one.
            case .xctest: _ = try XCTUnwrap(AppConnection?.none, message, file: file, line: line)
            case .nobody: fail(message, in: scope)
            }
            return AutomationError(.launch, message)
        } catch {
            return error
        }
    }

    private var sourceLocation: SourceLocation {
        let name = "\(file)".split(separator: "/").last ?? "Unknown.swift"
        let module = Test.current?.sourceLocation.moduleName ?? "AutomationTesting"
        return SourceLocation(fileID: "\(module)/\(name)", filePath: "\(file)", line: Int(max(line, 1)), column: 1)
    }
}

/// A test of XCTest or a time without one: the place of a failure, and of apps that end with the test.
///
/// XCTest runs one test at a time. A test of Swift Testing is known by its task, so it needs no scope.
final class TestScope: Sendable {
    enum Reporter { case swiftTesting, xctest, nobody }

    private struct State {
        /// `nil` as long as XCTest has not been observed.
        var isTest: Bool?
        var isOver = false
        var apps: [AppConnection] = []
    }

    private static let now = Locked<TestScope?>(nil)
    /// SwiftPM starts a process for each of the two frameworks.
    private static let isSwiftTestingProcess = zip(CommandLine.arguments, CommandLine.arguments.dropFirst())
        .contains { $0 == ("--testing-library", "swift-testing") }

    private let state: Locked<State>
    /// The time of the test's beginning on the monotonic clock; `nil` if it was not observed.
    private let start: UInt64?

    private init(isTest: Bool?, start: UInt64? = nil) {
        state = Locked(State(isTest: isTest))
        self.start = start
    }

    /// The scope of what begins now.
    static var current: TestScope {
        now.withLock { now in
            if let now { return now }
            let first = TestScope(isTest: nil)
            now = first
            #if canImport(Darwin)
                // Apple's XCTest takes observers on the main thread alone.
                guard Thread.isMainThread else {
                    DispatchQueue.main.async { XCTestObservationCenter.shared.addTestObserver(Observer()) }
                    return first
                }
            #endif
            XCTestObservationCenter.shared.addTestObserver(Observer())
            return first
        }
    }

    /// Returns the scope of a test case, and the time of its start.
    static func of(_ test: XCTestCase) -> (TestScope, start: UInt64) {
        let run = test.testRun
        guard run?.stopDate == nil else {
            let over = TestScope(isTest: true)
            over.state.withLock { $0.isOver = true }
            return (over, 0)
        }
        let scope = current
        scope.state.withLock { $0.isTest = true }
        let age = UInt64(max(run?.startDate.map { -$0.timeIntervalSinceNow } ?? 0, 0) * 1e9)
        return (scope, scope.start ?? DispatchTime.now().uptimeNanoseconds - age)
    }

    /// The framework that a failure is reported to.
    ///
    /// Without a current test, as in a detached task or on a thread, an issue of Swift Testing fails the run. `XCTFail`
    /// outside of a test has no effect.
    var reporter: Reporter {
        if Test.current != nil { return .swiftTesting }
        let state = state.withLock { $0 }
        if state.isOver { return .nobody }
        if state.isTest == true { return .xctest }
        if Self.isSwiftTestingProcess { return .swiftTesting }
        return state.isTest == nil ? .xctest : .nobody
    }

    /// Keeps an app until the test ends, and ends it then.
    func endWithTest(_ app: AppConnection) {
        state.withLock { $0.apps.append(app) }
    }

    private final class Observer: NSObject, XCTestObservation {
        func testCaseWillStart(_ testCase: XCTestCase) {
            let scope = TestScope(isTest: true, start: DispatchTime.now().uptimeNanoseconds)
            TestScope.now.withLock { $0 = scope }
        }

        /// An observer and not a teardown block, because XCTest allows none to be added once `tearDown` runs.
        func testCaseDidFinish(_ testCase: XCTestCase) {
            let ended = TestScope.now.withLock { now in
                defer { now = TestScope(isTest: false) }
                return now
            }
            let apps = ended?.state.withLock { state in
                state.isOver = true
                defer { state.apps = [] }
                return state.apps
            }
            apps?.reversed().forEach { $0.finish() }
        }
    }
}
