import RetryReport
import Testing

@testable import RetryCore

/// When an error that is known by its text is the one that left a section, as a table.
@Suite("Errors known by their text")
struct MatchedErrorTests {
    private struct Late: Error {}

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isMatch: Bool
        /// What happens between the error's way out of a section in line 10 and the look at its text.
        var meanwhile: @Sendable (Attempt) -> Void = { _ in }
        var readsAlike = true
        /// The line of the assertion that reports it; `nil` if it ended `setUp` or `tearDown`.
        var assertion: Int?
    }

    static let rows = [
        Row(testDescription: "the last to happen, and on its way still", isMatch: true),
        Row(testDescription: "that reads otherwise", isMatch: false, readsAlike: false),
        Row(testDescription: "with a section in between", isMatch: false, meanwhile: { $0.section {} }),
        Row(
            testDescription: "with a failure in between",
            isMatch: false,
            meanwhile: { _ = $0.judge(Failure(unplaced: "another")) }
        ),
        Row(
            testDescription: "with another in between, that the test has caught and let go of",
            isMatch: false,
            meanwhile: { attempt in try? attempt.section { throw Late() } }
        ),
        Row(testDescription: "in an assertion that the section stands in", isMatch: true, assertion: 10),
        Row(testDescription: "in an assertion that began before the section", isMatch: true, assertion: 9),
        Row(testDescription: "in an assertion behind the section", isMatch: false, assertion: 11),
    ]

    @Test("an error is the section's only if nothing speaks against it", arguments: rows)
    func isMatch(row: Row) {
        let attempt = Attempt(retryCount: 0)
        do {
            try attempt.section { throw Late() }
        } catch {
            withExtendedLifetime(error) {
                row.meanwhile(attempt)
                let place = row.assertion.map { Place(file: #filePath, line: $0) }
                #expect((attempt.matchedError(at: place) { _ in row.readsAlike } != nil) == row.isMatch)
            }
        }
    }

    @Test("an error is held by somebody else while it is on its way, and after that only if it is kept")
    func isHeld() throws {
        let attempt = Attempt(retryCount: 0)
        func isMatched() -> Bool { attempt.matchedError(at: nil) { _ in true } != nil }
        try? attempt.section { throw Late() }
        #expect(!isMatched())
        do { try attempt.section { throw Late() } } catch { #expect(isMatched()) }
        #expect(!isMatched())
        do {
            do { try attempt.section { throw Late() } } catch { throw error }
        } catch {
            #expect(isMatched())
        }
    }
}

extension Attempt {
    fileprivate func section(_ body: () throws -> Void) rethrows {
        try run(.fixable(reason: "a race"), at: .xctest(#filePath, 10), body)
    }
}
