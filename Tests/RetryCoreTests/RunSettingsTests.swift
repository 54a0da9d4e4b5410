import RetryCore
import Testing

@Suite("The settings of a run")
struct RunSettingsTests {
    @Test("without variables, or with empty ones, flakes are retried at once and without a limit")
    func defaults() {
        let settings = RunSettings(environment: ["RETRYABLE_MODE": "", "RETRYABLE_MAX_FLAKES": ""])
        #expect(settings == RunSettings())
        #expect(!settings.isStrict)
        #expect(settings.maxFlakes == nil)
        #expect(settings.retryDelay == nil)
        #expect(!settings.failsOnFlaky)
        #expect(!settings.isSupervised)
        #expect(settings.taskSeed == nil)
        #expect(settings.mistake == nil)
        #expect(settings.others.isEmpty)
    }

    @Test("a hang is one after the time that a retry may wait")
    func hangLimit() {
        func limit(_ delay: String?) -> Double? {
            RunSettings(environment: ["RETRYABLE_TIME_LIMIT": "2", "RETRYABLE_RETRY_DELAY": delay ?? ""]).hangLimit
        }
        #expect(limit(nil) == 12 && limit("0") == 2 && limit("1") == 13)
        #expect(RunSettings().hangLimit == nil)
    }

    @Test("the settings of a run are read from every variable")
    func values() {
        let settings = RunSettings(environment: [
            "RETRYABLE_MODE": "strict", "RETRYABLE_MAX_FLAKES": "5", "RETRYABLE_RETRY_DELAY": "0.5",
            "RETRYABLE_FAIL_ON_FLAKY": "1", "RETRYABLE_TIME_LIMIT": "1.5", "RETRYABLE_TASK_SEED": "17",
        ])
        #expect(settings.isStrict)
        #expect(settings.maxFlakes == 5)
        #expect(settings.retryDelay == 0.5)
        #expect(settings.failsOnFlaky)
        #expect(settings.timeLimit == 1.5)
        #expect(settings.hangLimit == 12)
        #expect(settings.taskSeed == 17)
        #expect(
            settings.others == [
                "RETRYABLE_MAX_FLAKES": "5", "RETRYABLE_RETRY_DELAY": "0.5", "RETRYABLE_FAIL_ON_FLAKY": "1",
                "RETRYABLE_SUPERVISE": "1", "RETRYABLE_TIME_LIMIT": "1.5", "RETRYABLE_TASK_SEED": "17",
            ]
        )
    }

    @Test(
        "a time limit implies supervision, which can be set without one",
        arguments: [
            (["RETRYABLE_SUPERVISE": "1"], true), (["RETRYABLE_SUPERVISE": "0"], false),
            (["RETRYABLE_TIME_LIMIT": "9"], true),
            (["RETRYABLE_TIME_LIMIT": "9", "RETRYABLE_SUPERVISE": "0"], true),
        ]
    )
    func supervision(environment: [String: String], isSupervised: Bool) {
        #expect(RunSettings(environment: environment).isSupervised == isSupervised)
    }

    @Test(
        "a setting that cannot be read is named, with its variable and what is allowed",
        arguments: [
            ("RETRYABLE_MODE", "Strict", "retry, strict"), ("RETRYABLE_MAX_FLAKES", "-1", "0 or more"),
            ("RETRYABLE_MAX_FLAKES", "many", "0 or more"), ("RETRYABLE_RETRY_DELAY", "-1", "0 to 3600"),
            ("RETRYABLE_RETRY_DELAY", "nan", "0 to 3600"), ("RETRYABLE_RETRY_DELAY", "1e9", "0 to 3600"),
            ("RETRYABLE_FAIL_ON_FLAKY", "yes", "0, 1"), ("RETRYABLE_SUPERVISE", "2", "0, 1"),
            ("RETRYABLE_TASK_SEED", "-1", "0 to 1000000000"), ("RETRYABLE_TASK_SEED", "1e3", "a whole number"),
            ("RETRYABLE_TIME_LIMIT", "0", "0.1 to 86400"), ("RETRYABLE_TIME_LIMIT", "soon", "seconds"),
        ]
    )
    func mistakes(variable: String, value: String, allowed: String) throws {
        let mistake = try #require(RunSettings(environment: [variable: value]).mistake)
        #expect(mistake.description.hasPrefix("\(variable) is \"\(value)\"; allowed: "))
        #expect(mistake.description.contains(allowed))
    }

    @Test("an unknown variable causes a warning with the nearest name that is known")
    func unknown() {
        let warnings = RunSettings.warnings(for: [
            "RETRYABLE_MAXFLAKES": "5", "RETRYABLE_MODE": "retry", "PATH": "/bin",
        ])
        #expect(warnings == ["RETRYABLE_MAXFLAKES is not a variable of Retryable; did you mean RETRYABLE_MAX_FLAKES?"])
        let others = RunSettings.warnings(for: ["RETRYABLE_FLAKE": "1", "RETRYABLE_STRICT": "1"])
        #expect(others.first?.hasPrefix("RETRYABLE_FLAKE is not a variable of Retryable; there are RETRYABLE_") == true)
        #expect(others.first?.contains("RETRYABLE_FAIL_ON_FLAKY") == true)
        #expect(others.last == "RETRYABLE_STRICT is not a variable of Retryable; did you mean RETRYABLE_MODE=strict?")
    }
}
