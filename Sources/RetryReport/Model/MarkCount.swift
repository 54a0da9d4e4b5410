import Groundwork

/// One section that ran, and how often: a line of the code, and what came of it in this run.
package struct MarkCount: Hashable, Sendable {
    /// Where the section begins; relative to the working directory if it lies under it.
    package var file: String
    @ReportCount package var line: Int
    /// The module of the tests that entered it.
    package var module: String?
    package var reason: String
    /// Whether the mark says `fixable`.
    package var fixable: Bool
    /// How often the mark allows a test to be run again.
    @ReportCount package var maxRetryCount: Int
    /// What a failure's message has to contain for the mark to suppress it; `nil` if any will do.
    package var matching: String?
    /// How many attempts of tests entered it.
    @ReportCount package var runs: Int
    /// How many attempts flaked because of it, or would have if the run's mode allowed flakes.
    @ReportCount package var flakes: Int
    /// How many attempts failed in it because its retries were used up.
    @ReportCount package var failures: Int

    package init(
        file: String,
        line: Int,
        module: String?,
        reason: String,
        fixable: Bool,
        maxRetryCount: Int,
        matching: String? = nil,
        runs: Int = 0,
        flakes: Int = 0,
        failures: Int = 0
    ) {
        self.file = file
        self.line = line
        self.module = module
        self.reason = reason
        self.fixable = fixable
        self.maxRetryCount = maxRetryCount
        self.matching = matching
        self.runs = runs
        self.flakes = flakes
        self.failures = failures
    }
}

extension MarkCount: Codable {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            file: try values.decode(String.self, forKey: .file),
            line: try values.decode(Int.self, forKey: .line),
            module: try values.decodeIfPresent(String.self, forKey: .module),
            reason: try values.decode(String.self, forKey: .reason),
            fixable: try values.decode(Bool.self, forKey: .fixable),
            maxRetryCount: try values.decode(Int.self, forKey: .maxRetryCount),
            matching: try values.decodeIfPresent(String.self, forKey: .matching),
            runs: try values.decode(Int.self, forKey: .runs),
            flakes: try values.decode(Int.self, forKey: .flakes),
            failures: try values.decodeIfPresent(Int.self, forKey: .failures) ?? 0
        )
    }
}

extension MarkCount {
    /// Identifies a mark among those of a run. Marks are sorted by it.
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

    package var identity: Identity { Identity(file: file, line: line, module: module ?? "", reason: reason) }

    /// Adds what was counted elsewhere of the same mark.
    package mutating func add(_ other: MarkCount) {
        runs += other.runs
        flakes += other.flakes
        failures += other.failures
    }

    /// This mark with what was counted after `earlier`.
    func since(_ earlier: MarkCount?) -> MarkCount {
        var mark = self
        mark.runs -= earlier?.runs ?? 0
        mark.flakes -= earlier?.flakes ?? 0
        mark.failures -= earlier?.failures ?? 0
        return mark
    }
}
