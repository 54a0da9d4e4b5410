import Testing

@testable import RetriesCommand

@Suite("Durations")
struct DurationTests {
    @Test(
        "durations are written as people say them",
        arguments: [
            (-1, "0 ms"), (0, "0 ms"), (0.0004, "under 1 ms"), (0.004, "4 ms"), (0.9994, "999 ms"), (0.9999, "1 s"),
            (4.25, "4.3 s"), (9.94, "9.9 s"), (9.96, "10 s"), (42.4, "42 s"), (59.6, "1 min"), (60, "1 min"),
            (2020.2, "33 min 40 s"), (3599.7, "1 h"), (3900, "1 h 5 min"), (86_400, "1 day"), (183_600, "2 days 3 h"),
            (.nan, "0 ms"), (.infinity, "1157407 days 9 h"),
        ] as [(Double, String)]
    )
    func words(seconds: Double, words: String) {
        #expect(Durations.text(seconds) == words)
    }

    @Test(
        "the age of a run is written in one unit",
        arguments: [
            (-5, "0 s ago"), (-59, "0 s ago"), (-60, "1 min in the future"), (-180_000, "2 days in the future"),
            (40, "40 s ago"), (60, "1 min ago"), (3599, "59 min ago"), (7200, "2 h ago"),
            (86_400, "1 day ago"), (900_000, "10 days ago"),
        ] as [(Double, String)]
    )
    func ago(seconds: Double, words: String) {
        #expect(Durations.ago(seconds) == words)
    }

    @Test(
        "durations are read only with their unit",
        arguments: [
            ("90s", 90), ("30m", 1800), ("2h", 7200), ("1d", 86_400), ("1h30m", 5400), ("0s", 0), ("", nil),
            ("90", nil), ("9999999s", 9_999_999),
            ("h", nil), ("1w", nil), ("-1h", nil), ("1.5h", nil), ("99999999999999999999d", nil), ("1h ", nil),
        ] as [(String, Double?)]
    )
    func reading(text: String, seconds: Double?) {
        #expect(Durations.seconds(text) == seconds)
    }
}
