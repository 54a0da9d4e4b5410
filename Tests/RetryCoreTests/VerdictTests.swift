import RetryReport
import Testing

@testable import RetryCore

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

    private static let section = Section(mark: .fixable(reason: "a race"), site: .xctest(#filePath, 1))

    static let rows = [
        Row("outside every section", .real) { _ in },
        Row("inside a section with a retry left", .flake(section)) { $0.holder = section },
        Row("on a test that nothing runs again", .real) { ($0.holder, $0.canRunAgain) = (section, false) },
        Row("after a real failure", .real) { ($0.holder, $0.outcome) = (section, .failed) },
        Row("after the attempt's end", .real) { ($0.holder, $0.phase) = (section, .ended) },
        Row("a second flake of an attempt", .flake(section)) { ($0.holder, $0.outcome) = (section, .flaked) },
        Row("outside, after a flake, where the test goes on", .real) { $0.outcome = .flaked },
        Row("outside, after a flake, where the test should have stopped", .aftermath) {
            ($0.outcome, $0.phase) = (.flaked, .stopped)
        },
        Row("inside, after a flake, where the test should have stopped", .aftermath) {
            ($0.holder, $0.outcome, $0.phase) = (section, .flaked, .stopped)
        },
        Row("explained by the error that flaked", .aftermath) { ($0.outcome, $0.isExplained) = (.flaked, true) },
        Row("explained by an error, but nothing flaked", .real) { $0.isExplained = true },
        Row("after a real failure, where the test should have stopped", .real) {
            ($0.outcome, $0.phase) = (.failed, .stopped)
        },
    ]

    @Test("a failure becomes what the rules say", arguments: rows)
    func verdict(row: Row) {
        #expect(row.context.verdict == row.verdict)
    }

    struct Mark: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The retries that the sections around the failure allow, innermost first.
        var allowed: [Int]
        var retryCount = 0
        var environment: [String: String] = [:]
        /// The retries that the section which holds the failure allows; `nil` if none holds it.
        var holder: Int?
        /// The verdict if no section holds the failure.
        var verdict = Verdict.real
    }

    private static let strict = ["RETRYABLE_MODE": "strict"]
    private static let beyondLimit = " (in a flaky section, but not retried: RETRYABLE_MAX_FLAKES=0 is reached)"

    static let marked = [
        Mark(testDescription: "a retry left", allowed: [1], holder: 1),
        Mark(testDescription: "none allowed", allowed: [0]),
        Mark(testDescription: "the last attempt", allowed: [2], retryCount: 2),
        Mark(testDescription: "the attempt before the last", allowed: [2], retryCount: 1, holder: 2),
        Mark(testDescription: "nested, both with retries left", allowed: [1, 2], holder: 1),
        Mark(testDescription: "nested, the inner used up", allowed: [1, 2], retryCount: 1, holder: 2),
        Mark(testDescription: "nested, both used up", allowed: [1, 2], retryCount: 2),
        Mark(testDescription: "strict", allowed: [1], environment: strict, verdict: .refused(ending: "")),
        Mark(testDescription: "strict, outside", allowed: [], environment: strict),
        Mark(
            testDescription: "beyond the limit of flakes",
            allowed: [1],
            environment: ["RETRYABLE_MAX_FLAKES": "0"],
            verdict: .refused(ending: beyondLimit)
        ),
    ]

    @Test("the innermost section with retries left holds a failure or a death", arguments: marked)
    func holder(row: Mark) {
        let sections = row.allowed.map { retries in
            Section(mark: .notFixable(reason: "a race", maxRetryCount: retries), site: .xctest(#filePath, 1))
        }
        func attempt() -> Attempt {
            Attempt(retryCount: row.retryCount, run: ProcessRun(environment: row.environment))
        }
        let verdict = sections.first { $0.mark.maxRetryCount == row.holder }.map { .flake($0) } ?? row.verdict
        #expect(attempt().judge(Failure(unplaced: "too early"), in: sections) == verdict)
        #expect(attempt().judge(Death.ended(.signal(4)), in: sections) == verdict)
    }
}
