import Groundwork
import RetryReport

/// The settings of a run, which its environment variables give.
package struct RunSettings: Hashable, Sendable {
    /// Makes every section fail as if it were not marked.
    package private(set) var isStrict = false
    /// The number of flakes in a process after which failures are no longer suppressed.
    package private(set) var maxFlakes: Int?
    /// Seconds to wait before each round of retries. With 0, retries do not wait for a quiet machine either.
    package private(set) var retryDelay: Double?
    /// Makes a test that recovered fail the run all the same.
    package private(set) var failsOnFlaky = false
    /// Has a child process run the tests, so that a crash is a failure like any other.
    package private(set) var isSupervised = false
    /// Seconds after which a test that neither ends nor enters or leaves a section has hung.
    package private(set) var timeLimit: Double?
    /// The seed by which the tasks of a first attempt are ordered; each retry has the next one.
    package private(set) var taskSeed: Int?

    /// The first variable with a value that is not allowed, and the allowed ones. All settings are then the defaults.
    package private(set) var mistake: String?

    package init(environment: [String: String] = [:]) {
        var mistake: String?
        func value<Value>(of variable: EnvironmentVariable, allowed: String, _ parse: (String) -> Value?) -> Value? {
            guard let text = variable.value(in: environment) else { return nil }
            if let value = parse(text) { return value }
            mistake = mistake ?? "\(variable.rawValue) is \"\(text)\"; allowed: \(allowed)"
            return nil
        }
        func isOn(_ variable: EnvironmentVariable) -> Bool {
            value(of: variable, allowed: "0, 1") { ["0": false, "1": true][$0] } ?? false
        }
        func number<Value: LosslessStringConvertible>(
            _ variable: EnvironmentVariable,
            in range: some RangeExpression<Value>,
            allowed: String
        ) -> Value? {
            value(of: variable, allowed: allowed) { text in Value(text).flatMap { range.contains($0) ? $0 : nil } }
        }

        isStrict = value(of: .mode, allowed: "retry, strict") { ["retry": false, "strict": true][$0] } ?? false
        maxFlakes = number(.maxFlakes, in: 0..., allowed: "a whole number, 0 or more")
        retryDelay = number(.retryDelay, in: 0...3600, allowed: "seconds, 0 to 3600, such as 0.5")
        failsOnFlaky = isOn(.failOnFlaky)
        timeLimit = number(.timeLimit, in: 0.1...86_400, allowed: "seconds, 0.1 to 86400, such as 60")
        isSupervised = isOn(.supervise) || timeLimit != nil
        taskSeed = number(.taskSeed, in: 0...1_000_000_000, allowed: "a whole number, 0 to 1000000000")

        guard let mistake else { return }
        self = RunSettings()
        self.mistake = mistake
    }

    /// The seconds after which tests that run side by side have hung: while a retry waits, nothing else may happen.
    package var hangLimit: Double? { timeLimit.map { retryDelay == 0 ? $0 : $0 + 10 + (retryDelay ?? 0) } }

    /// The other settings that are not the default, by the names of their variables.
    package var others: [String: String] {
        let texts: [(EnvironmentVariable, String?)] = [
            (.maxFlakes, maxFlakes.map { "\($0)" }), (.retryDelay, retryDelay.map { "\($0)" }),
            (.failOnFlaky, failsOnFlaky ? "1" : nil), (.supervise, isSupervised ? "1" : nil),
            (.timeLimit, timeLimit.map { "\($0)" }), (.taskSeed, taskSeed.map { "\($0)" }),
        ]
        return Dictionary(texts.compactMap { name, text in text.map { (name.rawValue, $0) } }) { $1 }
    }

    /// A warning for each variable that begins with `RETRYABLE_` and is not known, with the nearest name.
    package static func warnings(for environment: [String: String]) -> [String] {
        let (prefix, known) = ("RETRYABLE_", EnvironmentVariable.allCases.map(\.rawValue))
        return environment.keys.filter { $0.hasPrefix(prefix) && !known.contains($0) }.sorted().map { name in
            // Compared without the prefix, with which any two names would be similar.
            let ending = String(name.dropFirst(prefix.count))
            let nearest =
                ending == "STRICT"
                ? "MODE=strict" : ending.nearest(to: known.map { String($0.dropFirst(prefix.count)) })
            let hint = nearest.map { "did you mean \(prefix)\($0)?" } ?? "there are \(known.joined(separator: ", "))"
            return "\(name) is not a variable of Retryable; \(hint)"
        }
    }
}
