import Foundation

/// Points in time as a report has them: RFC 3339, UTC, milliseconds (`2026-03-01T09:30:00.250Z`).
package enum Timestamp {
    /// From 1600, before which Foundation counts days by another calendar, to 9999, the last year of four digits.
    private static let known = -11_676_096_000...253_402_300_799.999

    /// Dates before 1600 and after 9999 are moved to the nearest between.
    package static func text(_ date: Date) -> String {
        let exact = date.timeIntervalSince1970
        let milliseconds = (1000 * (exact.isNaN ? 0 : min(max(exact, known.lowerBound), known.upperBound))).rounded()
        var seconds = time_t((milliseconds / 1000).rounded(.down))
        var parts = tm()
        // Setting up Foundation's format styles takes longer than everything else in a process where nothing flaked.
        gmtime_r(&seconds, &parts)
        func digits(_ number: Int32, _ count: Int) -> Substring { "\(10_000 + number)".suffix(count) }
        let day = "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
        let time = "\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))"
        return "\(day)T\(time).\(digits(Int32(milliseconds - 1000 * Double(seconds)), 3))Z"
    }

    /// `nil` if `text` is not a time in this form; a fraction may be missing, and any offset will do.
    package static func date(_ text: String) -> Date? {
        guard let date = try? style.parse(text) else { return nil }
        return Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1_000_000).rounded() / 1_000_000)
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
