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

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The retries that the section allows which holds it.
        var holder: Int?
        /// The verdict where no section does.
        var verdict = Verdict.real
        var death = Death.ended(.signal(4))
        var retries: [Int] = [1]
        var retryCount = 0
        var hasFailed = false
        var hasFlaked = false
        var isSanitized = false
        var environment: [String: String] = [:]
    }

    static let rows = [
        Row(testDescription: "in a section with a retry left", holder: 1),
        Row(testDescription: "outside of all sections", retries: []),
        Row(testDescription: "on the last attempt", retryCount: 1),
        Row(
            testDescription: "nested, with the inner one's used up",
            holder: 2,
            retries: [1, 2],
            retryCount: 1
        ),
        Row(testDescription: "after a real failure", hasFailed: true),
        Row(testDescription: "a hang", holder: 1, death: .hang(seconds: 1)),
        Row(testDescription: "an exit with 0", holder: 1, death: .ended(.exitCode(0))),
        Row(testDescription: "strict", verdict: .refused(ending: ""), environment: ["RETRYABLE_MODE": "strict"]),
        Row(
            testDescription: "after a flake of the same attempt, which the mode has allowed",
            holder: 1,
            hasFlaked: true,
            environment: ["RETRYABLE_MAX_FLAKES": "0"]
        ),
        Row(testDescription: "strict, outside", retries: [], environment: ["RETRYABLE_MODE": "strict"]),
        Row(testDescription: "sanitized, a trap", holder: 1, isSanitized: true),
        Row(testDescription: "sanitized, exit(1)", death: .ended(.exitCode(1)), isSanitized: true),
        Row(testDescription: "sanitized, exit(66)", death: .ended(.exitCode(66)), isSanitized: true),
        Row(testDescription: "sanitized, an abort", death: .ended(.signal(6)), isSanitized: true),
        Row(
            testDescription: "sanitized, exit(0)",
            holder: 1,
            death: .ended(.exitCode(0)),
            isSanitized: true
        ),
        Row(testDescription: "an abort", holder: 1, death: .ended(.signal(6))),
    ]

    @Test(
        "a mark that says what it may hold has no other death",
        arguments: [("SIGSEGV", false), ("SIGILL", true), ("hung", false)]
    )
    func matching(text: String, isFlake: Bool) {
        let section = Section(mark: .fixable(reason: "a race", matching: text), site: .xctest(#filePath, 1))
        let verdict = Attempt(retryCount: 0).judge(Death.ended(.signal(4)), in: [section])
        #expect(verdict == (isFlake ? .flake(section) : .real))
    }

    @Test("a death becomes what a failure would", arguments: rows)
    func verdict(row: Row) {
        let sections = row.retries.map { retries in
            Section(mark: .notFixable(reason: "a race", maxRetryCount: retries), site: .xctest(#filePath, 1))
        }
        let verdict = Attempt(retryCount: row.retryCount, run: ProcessRun(environment: row.environment)).judge(
            row.death,
            in: sections,
            flaked: row.hasFlaked ? sections.first : nil,
            hasFailed: row.hasFailed,
            isSanitized: row.isSanitized
        )
        let holder = row.holder.flatMap { retries in sections.first { $0.mark.maxRetryCount == retries } }
        #expect(verdict == holder.map { .flake($0) } ?? row.verdict)
    }
}
