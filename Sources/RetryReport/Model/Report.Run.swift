import Foundation

extension Report {
    /// One run of the tests: one `swift test`, one `xcodebuild test`.
    package struct Run: Hashable, Sendable {
        /// Identifies this run among all runs.
        package var id: String
        package var startedAt: Date
        /// When the last process of the run ended; `nil` while one goes on, and for good if one died.
        package var finishedAt: Date?
        /// How many processes of the run have begun and not ended: once the run is over, how many died.
        package var unfinished: Int
        /// How failures in sections were treated: `retry` or `strict`.
        package var mode: String
        /// What else was set for this run, by the names of the environment variables that set it.
        package var settings: [String: String]
        /// Which code it tested, and where.
        package var origin: RunOrigin

        package init(
            id: String,
            startedAt: Date,
            finishedAt: Date? = nil,
            unfinished: Int = 0,
            mode: String = "retry",
            settings: [String: String] = [:],
            origin: RunOrigin = RunOrigin()
        ) {
            self.id = id
            self.startedAt = startedAt
            self.finishedAt = finishedAt
            self.unfinished = unfinished
            self.mode = mode
            self.settings = settings
            self.origin = origin
        }
    }
}

extension Report.Run: Decodable {
    private enum CodingKeys: CodingKey {
        case id, startedAt, finishedAt, unfinished, mode, settings, commit, branch, job, sources
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.required(.id),
            startedAt: try values.required(.startedAt),
            finishedAt: try values.optional(.finishedAt),
            unfinished: try values.optional(.unfinished) ?? 0,
            mode: try values.optional(.mode) ?? "retry",
            settings: try values.optional(.settings) ?? [:],
            origin: RunOrigin(
                commit: try values.optional(.commit),
                branch: try values.optional(.branch),
                job: try values.optional(.job),
                sources: try values.optional(.sources)
            )
        )
    }
}

extension Report.Run {
    /// What its keys stand for, as JSON.
    var json: [String: String] {
        get throws {
            let encoder = JSONEncoder.ofReports
            return [
                "id": try encoder.text(of: id),
                "startedAt": try encoder.text(of: startedAt),
                "finishedAt": try finishedAt.map(encoder.text),
                "unfinished": unfinished == 0 ? nil : "\(unfinished)",
                "mode": try encoder.text(of: mode),
                "settings": settings.isEmpty ? nil : try encoder.text(of: settings),
                "commit": try origin.commit.map(encoder.text),
                "branch": try origin.branch.map(encoder.text),
                "job": try origin.job.map(encoder.text),
                "sources": try origin.sources.map(encoder.text),
            ].compactMapValues(\.self)
        }
    }
}
