import Groundwork
import RetryReport

/// What a run of the tests does with flakes, as its environment asks.
package struct RunMode: Hashable, Sendable {
    /// Every section fails as if it were not marked.
    package var isStrict = false
    /// After this many flakes in a process, failures are no longer suppressed.
    package var maxFlakes: Int?
    /// Seconds to wait before each round of retries.
    package var retryDelay = 0.0
    /// Whether a test that recovered fails the run all the same.
    package var failsOnFlaky = false
    /// Whether a child process runs the tests, so that a crash is a failure like any other.
    package var isSupervised = false
    /// Seconds after which a test has hung that neither ends nor enters or leaves a section.
    package var timeLimit: Double?

    package init() {}

    /// The name in the report.
    package var name: String { isStrict ? "strict" : "retry" }

    /// What else differs from the default, by the names of the variables that set it.
    package var settings: [String: String] {
        var settings: [String: String] = [:]
        settings[EnvironmentVariable.maxFlakes.rawValue] = maxFlakes.map { "\($0)" }
        settings[EnvironmentVariable.retryDelay.rawValue] = retryDelay > 0 ? "\(retryDelay)" : nil
        settings[EnvironmentVariable.failOnFlaky.rawValue] = failsOnFlaky ? "1" : nil
        settings[EnvironmentVariable.supervise.rawValue] = isSupervised ? "1" : nil
        settings[EnvironmentVariable.timeLimit.rawValue] = timeLimit.map { "\($0)" }
        return settings
    }
}

extension RunMode {
    /// A variable whose value cannot be read.
    package struct Mistake: Error, Hashable, CustomStringConvertible {
        package var variable: EnvironmentVariable
        package var value: String
        package var allowed: String

        package var description: String {
            "\(variable.rawValue) is \"\(value)\"; allowed: \(allowed)"
        }
    }

    /// Reads the mode from the environment. A variable that is empty counts as not set.
    package init(environment: [String: String]) throws(Mistake) {
        func value<Value>(
            of variable: EnvironmentVariable,
            allowed: String,
            _ parse: (String) -> Value?
        ) throws(Mistake) -> Value? {
            guard let text = variable.value(in: environment) else { return nil }
            guard let value = parse(text) else {
                throw Mistake(variable: variable, value: text, allowed: allowed)
            }
            return value
        }

        isStrict = try value(of: .mode, allowed: "retry, strict") { ["retry": false, "strict": true][$0] } ?? false
        maxFlakes = try value(of: .maxFlakes, allowed: "a whole number, 0 or more") { text in
            Int(text).flatMap { $0 < 0 ? nil : $0 }
        }
        retryDelay =
            try value(of: .retryDelay, allowed: "seconds, 0 to 3600, such as 0.5") { text in
                Double(text).flatMap { (0...3600).contains($0) ? $0 : nil }
            } ?? 0
        failsOnFlaky = try value(of: .failOnFlaky, allowed: "0, 1") { ["0": false, "1": true][$0] } ?? false
        timeLimit = try value(of: .timeLimit, allowed: "seconds, 0.1 to 86400, such as 60") { text in
            Double(text).flatMap { (0.1...86_400).contains($0) ? $0 : nil }
        }
        let isSupervised = try value(of: .supervise, allowed: "0, 1") { ["0": false, "1": true][$0] } ?? false
        self.isSupervised = isSupervised || timeLimit != nil
    }

    /// A warning for each variable that begins with `RETRYABLE_` and is not known, with the nearest name.
    package static func warnings(for environment: [String: String]) -> [String] {
        let known = EnvironmentVariable.allCases.map(\.rawValue)
        return environment.keys.filter { $0.hasPrefix("RETRYABLE_") && !known.contains($0) }.sorted().map { name in
            let hint =
                name.nearest(to: known).map { "did you mean \($0)?" } ?? "there are \(known.joined(separator: ", "))"
            return "\(name) is not a variable of Retryable; \(hint)"
        }
    }
}
