/// One section that ran, and how often: a line of the code, and its effect in this run.
package struct MarkCount: Hashable, Codable, Sendable {
    /// The file in which the section begins; relative to the working directory if it lies under it.
    package var file: String
    package var line: Int
    /// The module of the tests that entered it.
    package var module: String?
    package var reason: String
    /// Distinguishes the marks `fixable` and `notFixable`.
    package var fixable: Bool
    /// The retries of a test that the mark allows.
    package var maxRetryCount: Int
    /// The text that a failure's message has to contain for the mark to suppress it; `nil` if any will do.
    package var matching: String?
    /// The attempts of tests that entered it.
    package var runs = 0
    /// The attempts that flaked because of it, or would have if the run's mode allowed flakes.
    package var flakes = 0
    /// The attempts that failed in it because its retries were used up.
    package var failures = 0
}

extension MarkCount {
    package init(file: String, line: Int, module: String?, reason: String, fixable: Bool, maxRetryCount: Int) {
        self.file = file
        self.line = line
        self.module = module
        self.reason = reason
        self.fixable = fixable
        self.maxRetryCount = maxRetryCount
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
