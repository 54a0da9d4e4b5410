import Foundation
import Groundwork

/// One test that flaked, and how it ended.
package struct FlakyTest: Hashable, Codable, Sendable {
    /// The name: `-[Class test]` for XCTest, `Suite/test()` for Swift Testing.
    package var name: String
    /// The module that the test is in; two tests of one name in two modules are two tests.
    package var module: String?
    /// The retries of this test that the mark allows.
    package var maxRetriesAllowed = 0
    /// The retries of this test so far; 0 while it waits for its first.
    package var attemptedRetries = 0
    /// The reason in the mark.
    package var reason = ""
    /// Distinguishes the marks `fixable` and `notFixable`.
    package var fixable = false
    /// The text that a failure's message has to contain for the mark to suppress it; `nil` if any will do.
    package var matching: String?
    package var outcome: Outcome? = .pending
    /// The file in which the section begins; relative to the working directory if it lies under it.
    package var file: String?
    package var line: Int?
    /// Every attempt so far, the first one included.
    package var attempts: [AttemptRecord] = []
    /// The run that this comes from, where a report holds the retries of several; else `nil`.
    package var run: String?
    /// The file that this was read from, where several were merged; else `nil`.
    package var shard: String?
    /// The process of the run that wrote this.
    package var process: String?

    package enum Outcome: String, ReportKeyword, Sendable {
        /// A retry passed.
        case recovered
        /// No retry passed.
        case failed
        /// The process died before it was known, or is still at it.
        case pending
    }
}

extension FlakyTest {
    /// A test that waits for its first retry; its mark is not known yet.
    package init(name: String, module: String?) {
        self.name = name
        self.module = module
    }
}

/// One execution of one test.
package struct AttemptRecord: Hashable, Codable, Sendable {
    /// The number, which is 1 for the first execution.
    package var number: Int
    package var outcome: Outcome
    package var startedAt: Date
    package var duration: Double
    package var failures: [Failure]
    /// The look at the machine right after the flake; `nil` if the attempt did not flake.
    package var machine: MachineLoad?

    package enum Outcome: String, ReportKeyword, Sendable {
        case flaked, passed, failed, skipped
    }

    package init(number: Int, outcome: Outcome, startedAt: Date, duration: Double, failures: [Failure] = []) {
        self.number = number
        self.outcome = outcome
        self.startedAt = startedAt
        self.duration = duration
        self.failures = failures
    }
}

extension AttemptRecord {
    /// The first failure; an aftermath only if there is nothing else.
    package var mainFailure: Failure? { failures.first { !$0.isAftermath } ?? failures.first }
}

/// The load of the machine at one moment.
package struct MachineLoad: Hashable, Codable, Sendable {
    /// The seconds by which a sleep ended late: the thread pool is full, or the machine busy.
    package var late: Double
    /// The number of processors that the process used, without the look itself: its other tests.
    package var own: Double
    /// The time of a computation over its processor time, or the threads that want to run over the processors, if that is more:
    /// 1 on a machine with a processor to spare.
    package var slowdown: Double

    package init(late: Double, own: Double, slowdown: Double) {
        func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
        (self.late, self.own, self.slowdown) = (rounded(late), rounded(own), rounded(slowdown))
    }

    /// The reason why a wait may have starved, to follow "flaked"; `nil` if the machine was quiet. A report does not hold
    /// the number of processors.
    package func cause(processors: Int? = nil) -> String? {
        let used = (own * 10).rounded() / 10
        if own >= processors.map({ Double($0) / 4 }) ?? 1 {
            return "while the tests of its process used \(used)\(processors.map { " of \($0)" } ?? "") processors"
        }
        if slowdown >= 1.3 { return "while others used the machine" }
        return late >= 0.008 ? "while its sleeps ended late" : nil
    }
}

/// One thing that went wrong in an attempt.
package struct Failure: Hashable, Codable, Sendable {
    package var message: String
    package var file: String?
    package var line: Int?
    package var kind: Kind
    /// Marks a failure that only followed from an earlier flake, and says nothing of its own.
    package var isAftermath: Bool

    package enum Kind: String, ReportKeyword, Sendable {
        /// An expectation that did not hold.
        case assertion
        /// An error that was thrown.
        case error
    }

    package init(message: String, file: String?, line: Int?, kind: Kind, isAftermath: Bool = false) {
        self.message = message
        self.file = file
        self.line = line
        self.kind = kind
        self.isAftermath = isAftermath
    }

    /// The message for people to read. It lacks the dash at the end that XCTest leaves where the test adds nothing.
    package var displayMessage: String { message.hasSuffix(" - ") ? String(message.dropLast(3)) : message }

    private enum CodingKeys: String, CodingKey {
        case message, file, line, kind
        case isAftermath = "aftermath"
    }
}

/// One step (`autoRetry`) that did not succeed at once.
package struct Step: Hashable, Codable, Sendable {
    /// The name of the test that the step ran in.
    package var test: String
    package var module: String?
    /// The purpose of the step, in its author's words.
    package var action: String
    package var file: String?
    package var line: Int?
    /// The tries after the first.
    package var retries: Int
    package var succeeded: Bool
    /// The time that all tries took together.
    package var duration: Double
    /// The process of the run that wrote this.
    package var process: String?
}

extension Step {
    package init(test: String, action: String, retries: Int, succeeded: Bool, duration: Double) {
        self.test = test
        self.action = action
        self.retries = retries
        self.succeeded = succeeded
        self.duration = duration
    }
}

// MARK: - Places

/// Anything with a line of the source.
package protocol Located {
    var file: String? { get }
    var line: Int? { get }
}

extension FlakyTest: Located {}
extension Failure: Located {}
extension Step: Located {}

extension Located {
    /// The file and the line as every tool writes them.
    package var place: String? {
        guard let file else { return nil }
        return line.map { "\(file):\($0)" } ?? file
    }

    /// The place as the end of a sentence: `, at Tests/Login.swift:12`; empty if it is not known.
    package var atPlace: String { place.map { ", at \($0)" } ?? "" }
}

// MARK: - Endings, in the same words wherever a person reads of them

extension FlakyTest {
    /// The attempts that were made.
    package var attemptCount: Int { attemptedRetries + 1 }
    /// The attempts that the mark allows; it may allow more retries than can be counted.
    package var allowedAttempts: Int { min(maxRetriesAllowed, .max - 1) + 1 }

    package var markName: String { fixable ? "fixable" : "not fixable" }

    /// `true` for a test that failed outside of every section, which only SwiftPM's file of all tests has.
    package var isUnmarked: Bool { outcome == .failed && reason.isEmpty }

    /// The outcome, with the attempts made and allowed.
    package var ending: String {
        switch outcome {
        case .recovered: "passed on attempt \(attemptCount) of \(allowedAttempts)"
        case .failed: isUnmarked ? "failed, and was not retried" : "failed, \(attemptCount.of("attempt"))"
        case .pending:
            "flaked on attempt \(attemptCount) of \(allowedAttempts), and its process ended before a retry did"
        case nil: "\(attemptCount.of("attempt")), outcome unknown"
        }
    }
}

extension [FlakyTest] {
    /// The number of tests of each outcome, such as `2 failed, 5 flaky`; empty if there are no tests.
    package var endings: String {
        let kinds: [(outcome: FlakyTest.Outcome?, name: String)] = [
            (.failed, "failed"), (.pending, "pending"), (.recovered, "flaky"), (nil, "unknown"),
        ]
        return kinds.compactMap { outcome, name in
            let count = count { $0.outcome == outcome }
            return count == 0 ? nil : "\(count) \(name)"
        }.joined(separator: ", ")
    }

    /// Sorts by outcome, the worst first; tests of one outcome keep their order.
    package var worstFirst: [FlakyTest] {
        let order: [FlakyTest.Outcome?] = [.failed, .pending, nil, .recovered]
        return order.flatMap { outcome in filter { $0.outcome == outcome } }
    }
}
