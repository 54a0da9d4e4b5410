import Foundation

/// One test that flaked, and how it ended.
package struct FlakyTest: Hashable, Codable, Sendable {
    /// `-[Class test]` for XCTest, `Suite/test()` for Swift Testing.
    package var name: String
    /// The module that the test is in; two tests of one name in two modules are two tests.
    package var module: String?
    /// How often the mark allows this test to be run again.
    @ReportCount package var maxRetriesAllowed: Int
    /// How often it was run again; 0 while it waits for its first retry.
    @ReportCount package var attemptedRetries: Int
    /// The reason in the mark.
    package var reason: String
    /// Whether the mark says `fixable`.
    package var fixable: Bool
    /// What the mark says that a failure's message contains, if it is to be retried.
    package var matching: String?
    package var outcome: Outcome?
    /// Where the section begins; relative to the working directory if it lies under it.
    package var file: String?
    package var line: Int?
    /// Every attempt so far, the first one included.
    package var attempts: [AttemptRecord]
    /// The run that this comes from, where a report holds the retries of several; else `nil`.
    package var run: String?
    /// The process of the run that wrote this.
    package var process: String?

    /// How a test that flaked ended.
    package enum Outcome: String, ReportKeyword, Sendable {
        /// A retry passed.
        case recovered
        /// No retry passed.
        case failed
        /// The process died before it was known, or is still at it.
        case pending
    }

    package init(
        name: String,
        module: String?,
        maxRetriesAllowed: Int,
        attemptedRetries: Int = 0,
        reason: String,
        fixable: Bool,
        outcome: Outcome? = .pending,
        file: String? = nil,
        line: Int? = nil,
        attempts: [AttemptRecord] = []
    ) {
        self.name = name
        self.module = module
        self.maxRetriesAllowed = maxRetriesAllowed
        self.attemptedRetries = attemptedRetries
        self.reason = reason
        self.fixable = fixable
        self.outcome = outcome
        self.file = file
        self.line = line
        self.attempts = attempts
    }
}
