/// Everything that was retried in one run of the tests: the content of `retryable-retries.json`.
///
/// The five keys of ``FlakyTest`` that version 0.6.0 wrote keep their names and meanings; all else stands beside them.
package struct Report: Hashable, Sendable {
    /// The schema that this package writes.
    package static let currentSchemaVersion = 1

    /// The schema that the file was written in; `nil` in a file of version 0.6.0, which had none.
    package var schemaVersion: Int?

    /// Which run of the tests this is; `nil` in a file of version 0.6.0.
    package var run: Run?

    /// The tests that flaked, sorted by name, then module.
    package var retries: [FlakyTest]

    /// The steps that needed a retry, in the order in which they ended.
    package var steps: [Step]

    /// The sections that ran, sorted by file, line, module and reason; `nil` in a file of a version that did not count them.
    package var marks: [MarkCount]?

    package init(run: Run? = nil, retries: [FlakyTest] = [], steps: [Step] = [], marks: [MarkCount]? = nil) {
        schemaVersion = Self.currentSchemaVersion
        self.run = run
        self.retries = retries
        self.steps = steps
        self.marks = marks
    }
}

extension Report: Decodable {
    private enum CodingKeys: CodingKey {
        case schemaVersion, run, retries, steps, marks
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        schemaVersion = try values.decodeIfPresent(Int.self, forKey: .schemaVersion)
        run = try values.decodeIfPresent(Run.self, forKey: .run)
        // Unlike other lists, which are empty if they are missing: without this one, it is no report.
        retries = try values.required(.retries)
        steps = try values.decode([Step].self, forKey: .steps)
        marks = try values.decodeIfPresent([MarkCount].self, forKey: .marks)
    }
}
