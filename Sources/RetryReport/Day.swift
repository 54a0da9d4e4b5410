import Foundation

/// A day of the calendar, such as the one that a mark's `until:` names.
package struct Day: Hashable, Comparable, Sendable {
    /// The days since 1970-01-01.
    package let number: Int

    /// Reads `YYYY-MM-DD`; `nil` if `text` is not a real date in this form. Allocates nothing, because each section with a date
    /// is checked when it is entered.
    package init?(_ text: String) {
        var (digits, length) = (0, 0)
        for byte in text.utf8 {
            length += 1
            if length == 5 || length == 8 {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard length <= 10, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
            }
        }
        let (year, month, day) = (digits / 10_000, digits / 100 % 100, digits % 100)
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = month == 2 ? (isLeap ? 29 : 28) : 30 + (month + month / 8) % 2
        guard length == 10, year > 0, 1...12 ~= month, 1...days ~= day else { return nil }
        // Counted from March, so that a leap day is the last of its year.
        let years = month > 2 ? year : year - 1
        let daysBeforeMonth = (153 * ((month + 9) % 12) + 2) / 5
        number = years * 365 + years / 4 - years / 100 + years / 400 + daysBeforeMonth + day - 719_469
    }

    /// The day that it is at this moment, in this time zone.
    package init(_ date: Date, in zone: TimeZone) {
        number = Int(((date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))) / 86_400).rounded(.down))
    }

    package static func < (first: Day, second: Day) -> Bool { first.number < second.number }
}
