import Foundation
import Groundwork
import RetryReport

/// Durations as people say them.
enum Durations {
    private static let units: [(name: String, seconds: Int)] = [("day", 86_400), ("h", 3600), ("min", 60), ("s", 1)]

    /// Such as `4 ms`, `4.2 s`, `42 s`, `33 min 40 s`, `1 h 5 min` or `2 days 3 h`.
    static func words(_ seconds: Double) -> String {
        let milliseconds = max(0, seconds.milliseconds)
        if milliseconds == 0, seconds > 0 { return "under 1 ms" }
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        if tenths < 100 { return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s" }
        let seconds = (milliseconds + 500) / 1000
        return words(seconds, isExact: true)
    }

    /// How long ago something was, in the largest unit that fits: `40 s ago`, `5 min ago`, `3 h ago`, `2 days ago`; or
    /// `2 days in the future`, if two clocks differ by more than a minute.
    static func ago(_ seconds: Double) -> String {
        let seconds = seconds.milliseconds / 1000
        guard seconds > -60 else { return "\(words(-seconds, isExact: false)) in the future" }
        return "\(words(max(0, seconds), isExact: false)) ago"
    }

    /// In the largest unit that fits, and in the next smaller one if it is to be exact.
    private static func words(_ seconds: Int, isExact: Bool) -> String {
        let index = units.firstIndex { seconds >= $0.seconds } ?? units.count - 1
        let (unit, size) = units[index]
        let words = unit == "day" ? (seconds / size).of(unit) : "\(seconds / size) \(unit)"
        let rest = seconds % size
        guard isExact, let next = units.dropFirst(index + 1).first, rest >= next.seconds else { return words }
        return "\(words) \(rest / next.seconds) \(next.name)"
    }

    /// The seconds of a duration as it is given on a command line: `90s`, `30m`, `2h`, `1d`, `1h30m`; `nil` if `text` is
    /// none of these.
    static func seconds(_ text: String) -> Double? {
        var seconds = 0
        var digits = ""
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            guard let count = Int(digits), count <= 1_000_000_000,
                let unit = units.first(where: { $0.name.first == character })
            else { return nil }
            seconds += count * unit.seconds
            digits = ""
        }
        return digits.isEmpty && !text.isEmpty ? Double(seconds) : nil
    }
}

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

extension Double {
    /// Whole milliseconds; what no clock could measure is cut to what one could.
    var milliseconds: Int {
        isNaN ? 0 : Int((Swift.min(Swift.max(self, -1e11), 1e11) * 1000).rounded())
    }

    /// Seconds with three digits after the point, for files that want them so: `0.004`.
    var seconds: String { String(format: "%.3f", Double(Swift.max(0, milliseconds)) / 1000) }
}
