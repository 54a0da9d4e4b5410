import Foundation

/// A day of the calendar, such as the one that a mark's `until:` names.
package struct Day: Hashable, Comparable, Sendable {
    /// The days since 1970-01-01.
    package let number: Int

    private static let style = Date.ISO8601FormatStyle().year().month().day()

    /// Reads `YYYY-MM-DD`; `nil` if `text` is not a real date in this form.
    package init?(_ text: String) {
        // Foundation also reads other forms, and a year 0.
        guard let date = try? Self.style.parse(text), Self.style.format(date) == text, !text.hasPrefix("0000") else {
            return nil
        }
        number = Int(date.timeIntervalSince1970) / 86_400  // it is the day's midnight in UTC
    }

    /// The day that it is at this moment, in this time zone.
    package init(_ date: Date, in zone: TimeZone) {
        number = Int(((date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))) / 86_400).rounded(.down))
    }

    package static func < (first: Day, second: Day) -> Bool { first.number < second.number }
}
