/// One section that ran, and how often: a line of the code, and its effect in this run.
package struct MarkCount: Hashable, Codable, Sendable {
    /// The file in which the section begins; relative to the working directory if it lies under it.
    package var file: String
    @ReportCount package var line: Int
    /// The module of the tests that entered it.
    package var module: String?
    package var reason: String
    /// Distinguishes the marks `fixable` and `notFixable`.
    package var fixable: Bool
    /// The retries of a test that the mark allows.
    @ReportCount package var maxRetryCount: Int
    /// The text that a failure's message has to contain for the mark to suppress it; `nil` if any will do.
    package var matching: String?
    /// The attempts of tests that entered it.
    @ReportCount package var runs: Int
    /// The attempts that flaked because of it, or would have if the run's mode allowed flakes.
    @ReportCount package var flakes: Int
    /// The attempts that failed in it because its retries were used up.
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

extension MarkCount {
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

    package var identity: Identity { Identity(file: file, line: line, module: module ?? "", reason: reason) }

    /// Adds the counts of the same mark from elsewhere.
    package mutating func add(_ other: MarkCount) {
        runs += other.runs
        flakes += other.flakes
        failures += other.failures
    }
}

/// Marks with what was counted of each.
package typealias MarkCounts = [MarkCount.Identity: MarkCount]

extension MarkCounts {
    package mutating func add(_ marks: some Sequence<MarkCount>) {
        for var mark in marks {
            let identity = mark.identity
            if let known = self[identity] { mark.add(known) }
            self[identity] = mark
        }
    }

    /// The marks as a report lists them.
    package var sorted: [MarkCount] { sorted { $0.key < $1.key }.map(\.value) }
}
