import RetryCore
import Testing

/// When an error that is known by its text is the one that left a section, as a table.
@Suite("Errors known by their text")
struct ErrorMatchTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isCertain: Bool
        var match = ErrorMatch()

        init(_ description: String, _ isCertain: Bool, _ change: (inout ErrorMatch) -> Void) {
            testDescription = description
            self.isCertain = isCertain
            change(&match)
        }
    }

    static let rows = [
        Row("the last to happen, and on its way still", true) { _ in },
        Row("that reads otherwise", false) { $0.readsAlike = false },
        Row("with a section or a failure in between", false) { $0.isLast = false },
        Row("that the test has caught and let go of", false) { $0.isStillAround = false },
        Row("in an assertion that the section does not stand in", false) { $0.isInCall = false },
    ]

    @Test("an error is the section's only if nothing speaks against it", arguments: rows)
    func isCertain(row: Row) {
        #expect(row.match.isCertain == row.isCertain)
    }
}

@Suite("Errors that were thrown")
struct ThrownErrorTests {
    private struct Late: Error {}

    @Test("an error is held by somebody else while it is on its way, and after that only if it is kept")
    func isHeld() throws {
        let attempt = Attempt(retryCount: 0)
        func fail() throws {
            try attempt.run(.fixable(reason: "a race"), at: .xctest(#filePath, 1)) { throw Late() }
        }
        func isMatched() -> Bool { attempt.matchedError(at: nil) { _ in true } != nil }
        try? fail()
        #expect(!isMatched())
        do { try fail() } catch { #expect(isMatched()) }
        #expect(!isMatched())
        do {
            do { try fail() } catch { throw error }
        } catch {
            #expect(isMatched())
        }
    }
}
