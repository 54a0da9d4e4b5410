import Foundation
import RetryReport

/// Points in time as people read them.
enum Times {
    /// Such as `2026-03-01 09:30:04 UTC`.
    static func words(_ date: Date) -> String {
        let text = Timestamp.text(date)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
    }
}

extension Report {
    /// The last moment that this report knows of: the end of its run, or what happened last in one that has no end.
    var lastSign: Date? {
        guard let run else { return nil }
        if let end = run.finishedAt { return end }
        let ends = retries.lazy.flatMap(\.attempts).map { $0.startedAt + max(0, $0.duration) }
        return max(run.startedAt, ends.max() ?? run.startedAt)
    }
}
