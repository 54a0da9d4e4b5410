import Foundation
import RetryReport
import Testing

@Suite("Times")
struct TimestampTests {
    @Test(
        "times are written as in RFC 3339, in UTC, to the millisecond",
        arguments: [
            (0.0, "1970-01-01T00:00:00.000Z"), (1_772_357_400.25, "2026-03-01T09:30:00.250Z"),
            (951_782_399.9996, "2000-02-29T00:00:00.000Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
        ]
    )
    func text(seconds: Double, text: String) {
        #expect(Timestamp.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(
        "times are read with or without a fraction, and with any offset; in another form they are refused",
        arguments: [
            ("2026-03-01T09:30:00Z", 1_772_357_400.0), ("2026-03-01T09:30:00.25Z", 1_772_357_400.25),
            ("2026-03-01T10:30:00+01:00", 1_772_357_400), ("2026-02-28T23:59:60-09:30", 1_772_357_400),
            ("2024-02-29T00:00:00.123456789Z", 1_709_164_800.123457), ("", nil), ("2026-03-01", nil),
            ("2026-03-01T09:30:00", nil), ("2026-03-01T09:30Z", nil), ("2026-13-01T09:30:00Z", nil),
            ("2026-00-01T09:30:00Z", nil), ("2026-03-01T09:30:00.Z", nil), ("2026-03-01T09:30:00+24:00", nil),
            ("٢٠٢٦-03-01T09:30:00Z", nil),
        ] as [(String, Double?)]
    )
    func date(text: String, seconds: Double?) {
        #expect(Timestamp.date(text) == seconds.map { Date(timeIntervalSince1970: $0) })
    }
}
