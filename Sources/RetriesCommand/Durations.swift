import Foundation
import Groundwork
import RetryReport

/// Durations as people write them.
enum Durations {
    private static let units: [(name: String, seconds: Int)] = [("day", 86_400), ("h", 3600), ("min", 60), ("s", 1)]

    /// A text such as `4 ms`, `4.2 s`, `42 s`, `33 min 40 s`, `1 h 5 min` or `2 days 3 h`.
    static func text(_ seconds: Double) -> String {
        let milliseconds = max(0, seconds.milliseconds)
        if milliseconds == 0, seconds > 0 { return "under 1 ms" }
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        if tenths < 100 { return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s" }
        return text((milliseconds + 500) / 1000, isExact: true)
    }

    /// The time since an event, such as `40 s ago`; `2 days in the future` if two clocks differ by more than a minute.
    static func ago(_ seconds: Double) -> String {
        let seconds = seconds.milliseconds / 1000
        guard seconds > -60 else { return "\(text(-seconds, isExact: false)) in the future" }
        return "\(text(max(0, seconds), isExact: false)) ago"
    }

    /// A duration in the largest unit that fits, and in the next smaller one if it is to be exact.
    private static func text(_ seconds: Int, isExact: Bool) -> String {
        let index = units.firstIndex { seconds >= $0.seconds } ?? units.count - 1
        let (unit, size) = units[index]
        let text = unit == "day" ? (seconds / size).of(unit) : "\(seconds / size) \(unit)"
        let rest = seconds % size
        guard isExact, let next = units.dropFirst(index + 1).first, rest >= next.seconds else { return text }
        return "\(text) \(rest / next.seconds) \(next.name)"
    }

    /// The seconds of a duration on a command line: `90s`, `30m`, `2h`, `1d`, `1h30m`; `nil` if `text` is none of these.
    static func seconds(_ text: String) -> Double? {
        argument.groups(in: text).first.map { counts in
            zip(counts, units).reduce(0) { $0 + (Double($1.0) ?? 0) * Double($1.1.seconds) }
        }
    }

    /// The groups are the numbers of ``units``.
    private static let argument = LinePattern(
        #"\A(?=.)(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s)?\z"#
    )
}

/// Points in time as people write them.
enum Times {
    /// A text such as `2026-03-01 09:30:04 UTC`.
    static func text(_ date: Date) -> String {
        let text = Timestamp.text(date)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
    }
}

extension Double {
    /// These seconds in whole milliseconds, clamped to 100 billion seconds, because a file may claim any number.
    var milliseconds: Int {
        isNaN ? 0 : Int((Swift.min(Swift.max(self, -1e11), 1e11) * 1000).rounded())
    }

    /// These seconds with three digits after the point, as JUnit files have them: `0.004`.
    var seconds: String { String(format: "%.3f", Double(Swift.max(0, milliseconds)) / 1000) }

    /// This part of 1 as people write it: `3.5 %`, `60 %`, `0.04 %`.
    var percent: String {
        let hundredths = Int((Swift.min(Swift.max(isNaN ? 0 : self, 0), 1) * 10_000).rounded())
        if hundredths < 10 { return hundredths == 0 ? "0 %" : "0.0\(hundredths) %" }
        let tenths = (hundredths + 5) / 10
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }
}
