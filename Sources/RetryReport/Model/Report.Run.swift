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
        @ReportCount package var unfinished: Int
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
        case id, startedAt, finishedAt, unfinished, mode, settings
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(String.self, forKey: .id),
            startedAt: try values.decode(Date.self, forKey: .startedAt),
            finishedAt: try values.decodeIfPresent(Date.self, forKey: .finishedAt),
            unfinished: try values.decodeIfPresent(Int.self, forKey: .unfinished) ?? 0,
            mode: try values.decodeIfPresent(String.self, forKey: .mode) ?? "retry",
            settings: try values.decodeIfPresent([String: String].self, forKey: .settings) ?? [:],
            origin: try RunOrigin(from: decoder)
        )
    }
}

extension Report.Run {
    /// What its keys stand for, as JSON.
    var json: [String: String] {
        get throws {
            let texts = [
                "id": id, "mode": mode, "startedAt": Timestamp.text(startedAt),
                "finishedAt": finishedAt.map(Timestamp.text), "commit": origin.commit, "branch": origin.branch,
                "job": origin.job, "sources": origin.sources,
            ]
            var json = try texts.compactMapValues(\.self).mapValues(JSONEncoder.ofReports.text)
            json["unfinished"] = unfinished == 0 ? nil : "\(unfinished)"
            json["settings"] = settings.isEmpty ? nil : try JSONEncoder.ofReports.text(of: settings)
            return json
        }
    }
}
