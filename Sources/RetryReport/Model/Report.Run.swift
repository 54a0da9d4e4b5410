import Foundation

extension Report {
    /// One run of the tests: one `swift test`, one `xcodebuild test`.
    package struct Run: Hashable, Sendable {
        /// What tells this run from every other one.
        package var id: String
        package var startedAt: Date
        /// `nil` while the run goes on, and for good if it died.
        package var finishedAt: Date?
        /// How failures in sections were treated: `retry` or `strict`.
        package var mode: String
        /// What else was set for this run, by the names of the environment variables that set it.
        package var settings: [String: String]

        package init(
            id: String,
            startedAt: Date,
            finishedAt: Date? = nil,
            mode: String = "retry",
            settings: [String: String] = [:]
        ) {
            self.id = id
            self.startedAt = startedAt
            self.finishedAt = finishedAt
            self.mode = mode
            self.settings = settings
        }
    }
}
