import Groundwork

/// Durations as people say them.
enum Durations {
    private static let day = 86_400
    private static let hour = 3600
    private static let minute = 60

    /// Such as `4 ms`, `4.2 s`, `42 s`, `33 min 40 s`, `1 h 5 min` or `2 days 3 h`.
    static func words(_ seconds: Double) -> String {
        let milliseconds = max(0, seconds.milliseconds)
        if milliseconds == 0, seconds > 0 { return "under 1 ms" }
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        if tenths < 100 { return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s" }
        let seconds = (milliseconds + 500) / 1000
        switch seconds {
        case ..<minute: return "\(seconds) s"
        case ..<hour: return pair(seconds / minute, "min", seconds % minute, "s")
        case ..<day: return pair(seconds / hour, "h", seconds % hour / minute, "min")
        default: return pair(seconds / day, seconds < 2 * day ? "day" : "days", seconds % day / hour, "h")
        }
    }

    /// How long ago something was, in the largest unit that fits: `40 s ago`, `5 min ago`, `3 h ago`, `2 days ago`; or
    /// `2 days in the future`, if two clocks differ by more than a minute.
    static func ago(_ seconds: Double) -> String {
        let seconds = seconds.milliseconds / 1000
        guard seconds > -minute else { return "\(largestUnit(-seconds)) in the future" }
        return "\(largestUnit(max(0, seconds))) ago"
    }

    private static func largestUnit(_ seconds: Int) -> String {
        switch seconds {
        case ..<minute: "\(seconds) s"
        case ..<hour: "\(seconds / minute) min"
        case ..<day: "\(seconds / hour) h"
        default: (seconds / day).of("day")
        }
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
            guard let count = Int(digits), count <= 1_000_000_000, let unit = unit(character) else { return nil }
            seconds += count * unit
            digits = ""
        }
        return digits.isEmpty && !text.isEmpty ? Double(seconds) : nil
    }

    private static func unit(_ letter: Character) -> Int? {
        switch letter {
        case "s": 1
        case "m": minute
        case "h": hour
        case "d": day
        default: nil
        }
    }

    private static func pair(_ first: Int, _ unit: String, _ second: Int, _ smaller: String) -> String {
        second == 0 ? "\(first) \(unit)" : "\(first) \(unit) \(second) \(smaller)"
    }
}
