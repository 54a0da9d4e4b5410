import Groundwork
import RetryCore
import Testing

/// What a death becomes, as a table.
@Suite("Death")
struct DeathTests {
    @Test(
        "a death says how the process ended",
        arguments: [
            (Death.ended(.signal(4)), "crashed with signal 4 (SIGILL)"),
            (.ended(.signal(9)), "crashed with signal 9 (SIGKILL)"),
            (.ended(ProcessEnding(status: 139)), "crashed with signal 11 (SIGSEGV)"),  // with a core dump
            (.ended(.signal(50)), "crashed with signal 50"), (.ended(.exitCode(0)), "called exit(0)"),
            (.ended(ProcessEnding(status: 3 << 8)), "called exit(3)"), (.ended(.exitCode(255)), "called exit(255)"),
            (.hang(seconds: 60), "hung for 60 s"), (.hang(seconds: 0.5), "hung for 0.5 s"),
        ]
    )
    func words(death: Death, words: String) {
        #expect("\(death)" == words)
    }

    /// A death in a section with a retry left; `VerdictTests` has the rules for failures and deaths alike.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var death = Death.ended(.signal(4))
        var isFlake = false
        var hasFailed = false
        var hasFlaked = false
        var isSanitized = false
        var environment: [String: String] = [:]
    }

    static let rows = [
        Row(testDescription: "after a real failure", hasFailed: true),
        Row(testDescription: "a hang", death: .hang(seconds: 1), isFlake: true),
        Row(testDescription: "an exit with 0", death: .ended(.exitCode(0)), isFlake: true),
        Row(
            testDescription: "after a flake of the same attempt, which the mode has allowed",
            isFlake: true,
            hasFlaked: true,
            environment: ["RETRYABLE_MAX_FLAKES": "0"]
        ),
        Row(testDescription: "sanitized, a trap", isFlake: true, isSanitized: true),
        Row(testDescription: "sanitized, exit(1)", death: .ended(.exitCode(1)), isSanitized: true),
        Row(testDescription: "sanitized, exit(66)", death: .ended(.exitCode(66)), isSanitized: true),
        Row(testDescription: "sanitized, an abort", death: .ended(.signal(6)), isSanitized: true),
        Row(testDescription: "sanitized, exit(0)", death: .ended(.exitCode(0)), isFlake: true, isSanitized: true),
        Row(testDescription: "an abort", death: .ended(.signal(6)), isFlake: true),
    ]

    @Test("a death in a section is a flake, unless a sanitizer caused it or the test failed before", arguments: rows)
    func verdict(row: Row) {
        let section = Section(mark: .fixable(reason: "a race"), site: .xctest(#filePath, 1))
        let verdict = Attempt(retryCount: 0, run: ProcessRun(environment: row.environment)).judge(
            row.death,
            in: [section],
            flaked: row.hasFlaked ? section : nil,
            hasFailed: row.hasFailed,
            isSanitized: row.isSanitized
        )
        #expect(verdict == (row.isFlake ? .flake(section) : .real))
    }

    @Test(
        "a mark that says what it may hold has no other death",
        arguments: [("SIGSEGV", false), ("SIGILL", true), ("hung", false)]
    )
    func matching(text: String, isFlake: Bool) {
        let section = Section(mark: .fixable(reason: "a race", matching: text), site: .xctest(#filePath, 1))
        let verdict = Attempt(retryCount: 0).judge(Death.ended(.signal(4)), in: [section])
        #expect(verdict == (isFlake ? .flake(section) : .real))
    }
}
