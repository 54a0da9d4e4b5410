import Foundation

/// Points in time as a report has them: RFC 3339, UTC, milliseconds (`2026-03-01T09:30:00.250Z`).
package enum Timestamp {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    /// From 1600, before which Foundation counts days by another calendar, to 9999, the last year of four digits.
    private static let known = -11_676_096_000...253_402_300_799.999

    /// Dates before 1600 and after 9999 are moved to the nearest between.
    package static func text(_ date: Date) -> String {
        let exact = date.timeIntervalSince1970
        let seconds = exact.isNaN ? 0 : min(max(exact, known.lowerBound), known.upperBound)
        // The style cuts off what is less than a millisecond; a quarter of one makes up for seconds in binary.
        return Date(timeIntervalSince1970: ((seconds * 1000).rounded() + 0.25) / 1000).formatted(style)
    }

    /// `nil` if `text` is not a time as RFC 3339 has it; any fraction and any offset will do.
    package static func date(_ text: String) -> Date? {
        if let date = parse(text), self.text(date) == text { return date }
        // Written by others, perhaps; the style takes days that do not exist, and whatever follows the time.
        let text = text.uppercased().replacingOccurrences(of: " ", with: "T")
        let midnight = "\(text.prefix(10))T00:00:00.000Z"
        guard text.range(of: pattern, options: .regularExpression) != nil,
            let day = parse(midnight), self.text(day) == midnight
        else { return nil }
        // Nor does it take more digits than nanoseconds have.
        return parse(text.replacingOccurrences(of: "([.][0-9]{9})[0-9]+", with: "$1", options: .regularExpression))
    }

    private static func parse(_ text: String) -> Date? {
        guard let date = try? style.parse(text) else { return nil }
        return Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1_000_000).rounded() / 1_000_000)
    }

    private static let pattern =
        "^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)([.][0-9]+)?"
        + "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
}
