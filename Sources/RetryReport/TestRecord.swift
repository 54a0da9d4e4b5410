import Groundwork

/// One test that flaked, and how it ended.
package struct TestRecord: Hashable, Codable, Sendable, Located {
    /// The name: `-[Class test]` for XCTest, `Suite/test()` for Swift Testing.
    package var name: String
    /// The module that the test is in; two tests of one name in two modules are two tests.
    package var module: String?
    /// The mark of the section that flaked last or that failed the test; of several that are used up, `FailureContext` chooses.
    /// Its count is the highest of all that flaked.
    package var mark: Flakiness
    /// The retries of this test so far; 0 while it waits for its first.
    package var attemptedRetries = 0
    package var outcome: Outcome? = .pending
    /// The file in which the section begins; relative to the working directory if it lies under it.
    package var file: String?
    package var line: Int?
    /// Every attempt so far, the first one included.
    package var attempts: [AttemptRecord] = []
    /// The run that this comes from, where a report holds the retries of several; else `nil`.
    package var run: String?
    /// The file that this was read from, where several were merged; else `nil`.
    package var shard: String?
    /// The process of the run that wrote this.
    package var process: String?
    /// The owners of the file, where the command has found them; a run does not look for them.
    package var owners: [String] = []

    package enum Outcome: String, ReportKeyword, Sendable {
        /// A retry passed.
        case recovered
        /// No retry passed.
        case failed
        /// It is not known: the process ended first, or is still running.
        case pending
    }

    /// A test that waits for its first retry.
    package init(name: String, module: String?, mark: Flakiness) {
        self.name = name
        self.module = module
        self.mark = mark
    }

    private enum CodingKeys: CodingKey {
        case name, module, attemptedRetries, outcome, file, line, attempts, run, shard, process, owners
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        (name, module) = (try values.decode(String.self, forKey: .name), try values.optional(.module))
        mark = try Flakiness(among: decoder, retriesAt: .maxRetriesAllowed)
        (attemptedRetries, outcome) = (try values.count(.attemptedRetries), try values.optional(.outcome))
        (file, line) = (try values.optional(.file), try values.optional(.line))
        attempts = try values.optional(.attempts) ?? []
        (run, shard, process) = (try values.optional(.run), try values.optional(.shard), try values.optional(.process))
        owners = try values.optional(.owners) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        try mark.encode(among: encoder, retriesAt: .maxRetriesAllowed)
        try encoder.encode([
            CodingKeys.name: name, .module: module, .attemptedRetries: attemptedRetries, .outcome: outcome,
            .file: file, .line: line, .attempts: attempts, .run: run, .shard: shard, .process: process,
            .owners: owners.isEmpty ? nil : owners,
        ])
    }
}

// MARK: - Endings, in the same words wherever a person reads of them

extension TestRecord {
    package var attemptCount: Int { attemptedRetries + 1 }
    /// The attempts that the mark allows; it may allow more retries than can be counted.
    package var allowedAttempts: Int { min(mark.maxRetryCount, .max - 1) + 1 }

    /// `true` for a test that failed outside of every section, which only SwiftPM's file of all tests has.
    package var isUnmarked: Bool { outcome == .failed && mark.reason.isEmpty }

    /// The outcome, with the attempts made and allowed.
    package var ending: String {
        switch outcome {
        case .recovered: "passed on attempt \(attemptCount) of \(allowedAttempts)"
        case .failed: isUnmarked ? "failed, and was not retried" : "failed, \(attemptCount.of("attempt"))"
        case .pending:
            "flaked on attempt \(attemptCount) of \(allowedAttempts), and its process ended before a retry did"
        case nil: "\(attemptCount.of("attempt")), outcome unknown"
        }
    }
}

extension [TestRecord] {
    /// The number of tests of each outcome, such as `2 failed, 5 flaky`; empty if there are no tests.
    package var endings: String {
        let kinds: [(outcome: TestRecord.Outcome?, name: String)] = [
            (.failed, "failed"), (.pending, "pending"), (.recovered, "flaky"), (nil, "unknown"),
        ]
        return kinds.compactMap { outcome, name in
            let count = count { $0.outcome == outcome }
            return count == 0 ? nil : "\(count) \(name)"
        }.joined(separator: ", ")
    }

    /// Sorts by outcome, the worst first; tests of one outcome keep their order.
    package var worstFirst: [TestRecord] {
        let order: [TestRecord.Outcome?] = [.failed, .pending, nil, .recovered]
        return order.flatMap { outcome in filter { $0.outcome == outcome } }
    }
}
