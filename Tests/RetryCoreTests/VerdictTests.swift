import RetryCore
import Testing

/// What a failure becomes, as a table: what is known of it, and the verdict.
@Suite("Verdict")
struct VerdictTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var verdict: Verdict
        var circumstances: Circumstances

        init(_ description: String, _ verdict: Verdict, _ change: (inout Circumstances) -> Void) {
            testDescription = description
            self.verdict = verdict
            circumstances = Circumstances()
            change(&circumstances)
        }
    }

    static let rows = [
        Row("outside every section", .real) { _ in },
        Row("inside a section with a retry left", .flake(section: 0)) { $0.allowedRetries = [1] },
        Row("inside a section that allows none", .real) { $0.allowedRetries = [0] },
        Row("on the last attempt", .real) { ($0.allowedRetries, $0.retryCount) = ([2], 2) },
        Row("on the attempt before the last", .flake(section: 0)) { ($0.allowedRetries, $0.retryCount) = ([2], 1) },
        Row("nested, both with retries left", .flake(section: 0)) { $0.allowedRetries = [1, 2] },
        Row("nested, the inner one's used up", .flake(section: 1)) {
            ($0.allowedRetries, $0.retryCount) = ([1, 2], 1)
        },
        Row("nested, both used up", .real) { ($0.allowedRetries, $0.retryCount) = ([1, 2], 2) },
        Row("on a test that nothing runs again", .real) { ($0.allowedRetries, $0.canRunAgain) = ([1], false) },
        Row("after a real failure", .real) { ($0.allowedRetries, $0.hasFailed) = ([1], true) },
        Row("a second flake of an attempt", .flake(section: 0)) { ($0.allowedRetries, $0.hasFlaked) = ([1], true) },
        Row("outside, after a flake, where the test goes on", .real) { $0.hasFlaked = true },
        Row("outside, after a flake, where the test should stop", .aftermath) {
            ($0.hasFlaked, $0.stopsAtFailure) = (true, true)
        },
        Row("inside, after a flake, where the test should stop", .aftermath) {
            ($0.allowedRetries, $0.hasFlaked, $0.stopsAtFailure) = ([1], true, true)
        },
        Row("outside, where the test should stop, but nothing flaked", .real) { $0.stopsAtFailure = true },
        Row("explained by the error that flaked", .aftermath) { ($0.hasFlaked, $0.followsFromCut) = (true, true) },
        Row("explained by an error, but nothing flaked", .real) { $0.followsFromCut = true },
        Row("in strict mode", .refused(.strict)) { ($0.allowedRetries, $0.refusal) = ([1], .strict) },
        Row("outside, in strict mode", .real) { $0.refusal = .strict },
        Row("beyond the limit of flakes", .refused(.limit(5))) { ($0.allowedRetries, $0.refusal) = ([1], .limit(5)) },
        Row("after a real failure, where the test should stop", .real) {
            ($0.hasFlaked, $0.hasFailed, $0.stopsAtFailure) = (true, true, true)
        },
    ]

    @Test("a failure becomes what the rules say", arguments: rows)
    func verdict(row: Row) {
        #expect(row.circumstances.verdict == row.verdict)
    }
}
