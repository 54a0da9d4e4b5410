import Foundation

/// Points in time as a report has them: RFC 3339, UTC, milliseconds (`2026-03-01T09:30:00.250Z`).
package enum Timestamp {
    private static let year1 = -62_135_596_800_000
    private static let year9999 = 253_402_300_799_999

    /// Dates that four digits of a year cannot name are moved to the nearest that they can.
    package static func text(_ date: Date) -> String {
        let exact = (date.timeIntervalSince1970 * 1000).rounded()
        let milliseconds = exact.isNaN ? 0 : Int(min(max(exact, Double(year1)), Double(year9999)))
        let (days, time) = floorDivision(milliseconds, 86_400_000)
        let (year, month, day) = civil(days)
        let digits: [(value: Int, width: Int, next: UInt8)] = [
            (year, 4, UInt8(ascii: "-")), (month, 2, UInt8(ascii: "-")), (day, 2, UInt8(ascii: "T")),
            (time / 3_600_000, 2, UInt8(ascii: ":")), (time / 60_000 % 60, 2, UInt8(ascii: ":")),
            (time / 1000 % 60, 2, UInt8(ascii: ".")), (time % 1000, 3, UInt8(ascii: "Z")),
        ]
        return String(unsafeUninitializedCapacity: 24) { buffer in
            var end = 0
            for (value, width, next) in digits {
                var rest = value
                for index in stride(from: end + width - 1, through: end, by: -1) {
                    buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                buffer[end + width] = next
                end += width + 1
            }
            return end
        }
    }

    /// `nil` if `text` is not a time as RFC 3339 has it; any fraction and any offset will do.
    package static func date(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = Scanner(bytes: bytes)
            return scanner.date()
        }
    }

    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        var position = 0

        init(bytes: UnsafeBufferPointer<UInt8>) {
            self.bytes = bytes
        }

        mutating func date() -> Date? {
            guard let year = number(4), skip("-"), let month = number(2), 1...12 ~= month, skip("-"),
                let day = number(2), 1...31 ~= day, skip("T") || skip("t") || skip(" "),
                let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"),
                let second = number(2), second <= 60
            else { return nil }
            var fraction = 0.0
            if skip(".") {
                var unit = 1.0
                let start = position
                while let digit = number(1) {
                    guard position - start < 10 else { continue }
                    unit *= 10
                    fraction = fraction * 10 + Double(digit)
                }
                guard position > start else { return nil }
                fraction /= unit
            }
            guard let offset = offset(), position == bytes.count else { return nil }
            let days = daysSince1970(year, month, day)
            guard civil(days) == (year, month, day) else { return nil }
            let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
            return Date(timeIntervalSince1970: (Double(seconds) * 1000 + fraction * 1000) / 1000)
        }

        private mutating func offset() -> Int? {
            if skip("Z") || skip("z") { return 0 }
            let isWest = skip("-")
            guard isWest || skip("+"), let hours = number(2), hours < 24, skip(":"), let minutes = number(2),
                minutes < 60
            else { return nil }
            return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
        }

        private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: scalar) else { return false }
            position += 1
            return true
        }

        private mutating func number(_ width: Int) -> Int? {
            guard position + width <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[position..<(position + width)] {
                guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            position += width
            return value
        }
    }

    private static func floorDivision(_ value: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
        let remainder = value % divisor
        return remainder < 0 ? (value / divisor - 1, remainder + divisor) : (value / divisor, remainder)
    }

    /// The day that is so many days after 1970-01-01, counted in years that begin in March, where leap days end a year.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = floorDivision(days + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivision(shifted, 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
