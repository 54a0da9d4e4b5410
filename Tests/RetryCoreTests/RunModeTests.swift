import RetryCore
import Testing

@Suite("Run mode")
struct RunModeTests {
    @Test("without variables, flakes are retried at once and without a limit")
    func defaults() throws {
        let mode = try RunMode(environment: [:])
        #expect(mode == RunMode())
        #expect(!mode.isStrict)
        #expect(mode.maxFlakes == nil)
        #expect(mode.retryDelay == 0)
        #expect(!mode.failsOnFlaky)
        #expect(!mode.isSupervised)
    }

    @Test("every variable is read")
    func values() throws {
        let mode = try RunMode(environment: [
            "RETRYABLE_MODE": "strict", "RETRYABLE_MAX_FLAKES": "5", "RETRYABLE_RETRY_DELAY": "0.5",
            "RETRYABLE_FAIL_ON_FLAKY": "1", "RETRYABLE_TIME_LIMIT": "1.5",
        ])
        #expect(mode.isStrict)
        #expect(mode.name == "strict")
        #expect(mode.maxFlakes == 5)
        #expect(mode.retryDelay == 0.5)
        #expect(mode.failsOnFlaky)
        #expect(mode.timeLimit == 1.5)
    }

    @Test(
        "a time limit implies supervision, which can be had without one",
        arguments: [
            (["RETRYABLE_SUPERVISE": "1"], true), (["RETRYABLE_SUPERVISE": "0"], false),
            (["RETRYABLE_TIME_LIMIT": "9"], true),
            (["RETRYABLE_TIME_LIMIT": "9", "RETRYABLE_SUPERVISE": "0"], true),
        ]
    )
    func supervision(environment: [String: String], isSupervised: Bool) throws {
        #expect(try RunMode(environment: environment).isSupervised == isSupervised)
    }

    @Test("an empty variable counts as not set")
    func empty() throws {
        #expect(try RunMode(environment: ["RETRYABLE_MODE": "", "RETRYABLE_MAX_FLAKES": ""]) == RunMode())
    }

    @Test(
        "a value that cannot be read is named, with its variable and what is allowed",
        arguments: [
            ("RETRYABLE_MODE", "Strict", "retry, strict"), ("RETRYABLE_MAX_FLAKES", "-1", "0 or more"),
            ("RETRYABLE_MAX_FLAKES", "many", "0 or more"), ("RETRYABLE_RETRY_DELAY", "-1", "0 to 3600"),
            ("RETRYABLE_RETRY_DELAY", "nan", "0 to 3600"), ("RETRYABLE_RETRY_DELAY", "1e9", "0 to 3600"),
            ("RETRYABLE_FAIL_ON_FLAKY", "yes", "0, 1"), ("RETRYABLE_SUPERVISE", "2", "0, 1"),
            ("RETRYABLE_TIME_LIMIT", "0", "0.1 to 86400"), ("RETRYABLE_TIME_LIMIT", "soon", "seconds"),
        ]
    )
    func mistakes(variable: String, value: String, allowed: String) throws {
        let mistake = try #require(throws: RunMode.Mistake.self) { try RunMode(environment: [variable: value]) }
        #expect(mistake.description.hasPrefix("\(variable) is \"\(value)\"; allowed: "))
        #expect(mistake.description.contains(allowed))
    }

    @Test("an unknown variable is warned of, with the nearest name")
    func unknown() {
        let warnings = RunMode.warnings(for: ["RETRYABLE_MAXFLAKES": "5", "RETRYABLE_MODE": "retry", "PATH": "/bin"])
        #expect(warnings == ["RETRYABLE_MAXFLAKES is not a variable of Retryable; did you mean RETRYABLE_MAX_FLAKES?"])
    }
}
