import Foundation
import Testing

@testable import AutomationTesting

/// The test case that the whole runs below are made of. It has no test methods, so that discovery leaves it alone.
class TestsOfAUser: XCTestCase {
    /// The work of `tearDown`.
    var finally: () throws -> Void = {}

    override func tearDownWithError() throws {
        try finally()
    }
}

/// Runs tests as a test program would, and ends the process with XCTest's exit code. For use in exit tests alone.
func runTests(_ tests: KeyValuePairs<String, (TestsOfAUser) throws -> Void>) async -> Never {
    await runAsProgram(
        TestsOfAUser.self,
        tests.map { name, body in (name, { test in try body(XCTUnwrap(test as? TestsOfAUser)) }) }
    )
}

/// Runs tests on a thread of their own: XCTest blocks its thread while a test awaits, and where there is one processor,
/// Swift's tasks have one thread.
func runAsProgram(_ type: XCTestCase.Type, _ entries: [(String, (XCTestCase) throws -> Void)]) async -> Never {
    // An exit test is a process of Swift Testing, in which XCTest runs nothing as a rule.
    _ = TestScope.current
    nonisolated(unsafe) let entries = [(testCaseClass: type, allTests: entries)]
    Thread { exit(XCTMain(entries, arguments: ["tests"]) as CInt) }.start()
    while true {
        try? await Task.sleep(for: .seconds(3600))
    }
}

/// A test that awaits.
func awaiting(_ body: @escaping @Sendable (TestsOfAUser) async throws -> Void) -> (TestsOfAUser) throws -> Void {
    { test in
        // XCTest's own way from an async test to its runner.
        try asyncTest { (test: TestsOfAUser) in
            // A test case is used by one thread at a time; which the compiler does not know.
            nonisolated(unsafe) let test = test
            return { try await body(test) }
        }(test)()
    }
}

/// What exit tests look at.
let bothStreams: [any PartialKeyPath<ExitTest.Result> & Sendable] = [\.standardOutputContent, \.standardErrorContent]

extension ExitTest.Result? {
    /// The output of the process on both streams, for assertions and their messages.
    var output: String {
        guard let self else { return "" }
        return String(decoding: self.standardOutputContent + self.standardErrorContent, as: UTF8.self)
    }
}

extension String {
    /// The failures in a run's output, as `File.swift:line: message`.
    var failures: [String] {
        split(separator: "\n").compactMap { line in
            guard let range = line.range(of: ": error: ") else { return nil }
            let place = line[..<range.lowerBound].split(separator: "/").last ?? ""
            let message = line[range.upperBound...].split(separator: " : ", maxSplits: 1).last ?? ""
            return "\(place): \(message)"
        }
    }
}

extension EventSource {
    /// The message of a wait's failure; `nil` if the event came.
    func failure(
        for awaited: AutomationEvent.Kind,
        timeout: TimeInterval,
        perform action: () throws -> Void
    ) rethrows -> String? {
        try wait(for: awaited, timeout: timeout, perform: action).failure
    }
}
