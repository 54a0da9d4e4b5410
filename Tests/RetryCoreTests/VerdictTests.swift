import RetryCore
import RetryReport
import Testing

/// What a failure becomes, as a table: what is known of it, and the verdict.
@Suite("Verdict")
struct VerdictTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var verdict: Verdict
        var context: FailureContext

        init(_ description: String, _ verdict: Verdict, _ change: (inout FailureContext) -> Void) {
            testDescription = description
            self.verdict = verdict
            context = FailureContext()
            change(&context)
        }
    }

    static let rows = [
        Row("outside every section", .real) { _ in },
        Row("inside a section with a retry left", .flake) { $0.isHeld = true },
        Row("on a test that nothing runs again", .real) { ($0.isHeld, $0.canRunAgain) = (true, false) },
        Row("after a real failure", .real) { ($0.isHeld, $0.isLost) = (true, true) },
        Row("a second flake of an attempt", .flake) { ($0.isHeld, $0.hasFlaked) = (true, true) },
        Row("outside, after a flake, where the test goes on", .real) { $0.hasFlaked = true },
        Row("outside, after a flake, where the test should have stopped", .aftermath) {
            ($0.hasFlaked, $0.isAfterStop) = (true, true)
        },
        Row("inside, after a flake, where the test should have stopped", .aftermath) {
            ($0.isHeld, $0.hasFlaked, $0.isAfterStop) = (true, true, true)
        },
        Row("explained by the error that flaked", .aftermath) { ($0.hasFlaked, $0.isExplained) = (true, true) },
        Row("explained by an error, but nothing flaked", .real) { $0.isExplained = true },
        Row("after a real failure, where the test should have stopped", .real) {
            ($0.hasFlaked, $0.isLost, $0.isAfterStop) = (true, true, true)
        },
    ]

    @Test("a failure becomes what the rules say", arguments: rows)
    func verdict(row: Row) {
        #expect(row.context.verdict == row.verdict)
    }

    struct Mark: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The retries that the sections around the failure allow, outermost first.
        var allowed: [Int]
        var retryCount = 0
        var environment: [String: String] = [:]
        var verdict: Verdict
        /// The index of the section that holds it.
        var holder: Int?
    }

    static let marked = [
        Mark(testDescription: "a retry left", allowed: [1], verdict: .flake, holder: 0),
        Mark(testDescription: "none allowed", allowed: [0], verdict: .real),
        Mark(testDescription: "the last attempt", allowed: [2], retryCount: 2, verdict: .real),
        Mark(testDescription: "the attempt before the last", allowed: [2], retryCount: 1, verdict: .flake, holder: 0),
        Mark(testDescription: "nested, both with retries left", allowed: [2, 1], verdict: .flake, holder: 1),
        Mark(testDescription: "nested, the inner used up", allowed: [2, 1], retryCount: 1, verdict: .flake, holder: 0),
        Mark(testDescription: "nested, both used up", allowed: [2, 1], retryCount: 2, verdict: .real),
        Mark(
            testDescription: "strict",
            allowed: [1],
            environment: ["RETRYABLE_MODE": "strict"],
            verdict: .refused(.strict)
        ),
        Mark(
            testDescription: "strict, outside",
            allowed: [],
            environment: ["RETRYABLE_MODE": "strict"],
            verdict: .real
        ),
        Mark(
            testDescription: "beyond the limit of flakes",
            allowed: [1],
            environment: ["RETRYABLE_MAX_FLAKES": "0"],
            verdict: .refused(.limit(0))
        ),
    ]

    @Test("the innermost section with retries left holds a failure", arguments: marked)
    func holder(row: Mark) {
        let attempt = Attempt(retryCount: row.retryCount, run: ProcessRun(environment: row.environment))
        func judge(in allowed: ArraySlice<Int>) -> Verdict {
            guard let first = allowed.first else {
                return attempt.judge(Failure(unplaced: "too early"), in: attempt.sectionsHere())
            }
            let mark = Flakiness.notFixable(reason: "\(allowed.startIndex)", maxRetryCount: first)
            return attempt.run(mark, at: .xctest(#filePath, 1)) { judge(in: allowed.dropFirst()) }
        }
        #expect(judge(in: row.allowed[...]) == row.verdict)
        #expect(attempt.flake?.section.mark.reason == row.holder.map { "\($0)" })
    }
}
