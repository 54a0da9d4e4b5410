/// One section that ran, and how often: a line of the code, and its effect in this run.
package struct MarkCount: Hashable, Codable, Sendable {
    /// The file in which the section begins; relative to the working directory if it lies under it.
    package var file: String
    package var line: Int
    /// The module of the tests that entered it.
    package var module: String?
    package var mark: Flakiness
    /// The attempts of tests that entered it.
    package var attempts = 0
    /// The attempts that flaked because of it, or would have if the run's mode allowed flakes.
    package var flakes = 0
    /// The attempts that failed in it because its retries were used up.
    package var failures = 0
    /// The owners of the file, where the command has found them.
    package var owners: [String] = []

    package init(_ mark: Flakiness, file: String, line: Int, module: String?) {
        self.mark = mark
        self.file = file
        self.line = line
        self.module = module
    }

    /// Identifies a mark among the marks of a run, which are sorted by it.
    package struct Identity: Hashable, Comparable, Sendable {
        let file: String
        let line: Int
        let module: String
        let reason: String

        package static func < (first: Identity, second: Identity) -> Bool {
            (first.file, first.line, first.module, first.reason)
                < (second.file, second.line, second.module, second.reason)
        }
    }

    package var identity: Identity { Identity(file: file, line: line, module: module ?? "", reason: mark.reason) }

    /// Adds the counts of the same mark from elsewhere. The earliest of their dates counts: a call may set it.
    package mutating func add(_ other: MarkCount) {
        mark.until = [mark.until, other.mark.until].compactMap(\.self).min()
        attempts += other.attempts
        flakes += other.flakes
        failures += other.failures
    }

    private enum CodingKeys: String, CodingKey {
        case file, line, module, flakes, failures, owners
        case attempts = "runs"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        file = try values.decode(String.self, forKey: .file)
        (line, module) = (try values.count(.line), try values.optional(.module))
        mark = try Flakiness(among: decoder, retriesAt: .maxRetryCount)
        attempts = try values.count(.attempts)
        (flakes, failures) = (try values.count(.flakes), try values.count(.failures))
        owners = try values.optional(.owners) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        try mark.encode(among: encoder, retriesAt: .maxRetryCount)
        try encoder.encode([
            CodingKeys.file: file, .line: line, .module: module, .attempts: attempts, .flakes: flakes,
            .failures: failures, .owners: owners.isEmpty ? nil : owners,
        ])
    }
}

/// Marks with what was counted of each.
package typealias MarkCounts = [MarkCount.Identity: MarkCount]

extension MarkCounts {
    package mutating func add(_ marks: some Sequence<MarkCount>) {
        for var mark in marks {
            if let known = self[mark.identity] { mark.add(known) }
            self[mark.identity] = mark
        }
    }

    /// The marks as a report lists them.
    package var sorted: [MarkCount] { sorted { $0.key < $1.key }.map(\.value) }
}
