import Foundation
import RetryReport
import Testing

@Suite("Days")
struct DayTests {
    @Test(
        "a day is read only if it is a real date, written as YYYY-MM-DD",
        arguments: [
            ("2027-01-31", true), ("2028-02-29", true), ("2000-02-29", true), ("0001-01-01", true),
            ("9999-12-31", true),
            ("2027-02-29", false), ("1900-02-29", false), ("2027-04-31", false), ("2027-13-01", false),
            ("2027-00-10", false), ("2027-01-00", false), ("2027-01-32", false), ("0000-01-01", false), ("", false),
            ("2027-1-31", false), ("27-01-31", false), ("2027-01-31 ", false), (" 2027-01-31", false),
            ("2027/01/31", false), ("20270131", false), ("2027-01", false), ("2027-01-311", false),
            ("+027-01-31", false), ("２０２７-01-31", false), ("31-01-2027", false), ("tomorrow", false),
        ]
    )
    func text(text: String, isReal: Bool) {
        #expect((Day(text) != nil) == isReal)
    }

    @Test("days are counted as the calendar counts them, over leap years and centuries")
    func numbers() throws {
        let utc = try #require(TimeZone(identifier: "UTC"))
        for number in stride(from: -60_000, through: 60_000, by: 1) {
            let date = Date(timeIntervalSince1970: Double(number) * 86_400 + 1)
            let text = String(Timestamp.text(date).prefix(10))
            guard Day(text)?.number == number, Day(date, in: utc).number == number else {
                Issue.record("\(text) is \(String(describing: Day(text)?.number)), not \(number)")
                return
            }
        }
    }

    @Test(
        "a day ends at its midnight in the time zone, summer time included",
        arguments: [
            ("UTC", "2027-01-31T23:59:59Z", "2027-02-01T00:00:00Z"),
            ("Europe/Berlin", "2027-01-31T22:59:59Z", "2027-01-31T23:00:00Z"),
            ("Europe/Berlin", "2027-07-31T21:59:59Z", "2027-07-31T22:00:00Z"),
            ("Pacific/Kiritimati", "2027-01-31T09:59:59Z", "2027-01-31T10:00:00Z"),
            ("America/Los_Angeles", "2027-02-01T07:59:59Z", "2027-02-01T08:00:00Z"),
        ]
    )
    func midnight(zone: String, last: String, next: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        let days = try [last, next].map { Day(try #require(Timestamp.date($0)), in: zone) }
        let day = try #require(Day(last.hasPrefix("2027-07") ? "2027-07-31" : "2027-01-31"))
        #expect(days[0] == day)
        #expect(days[1] > day && days[1].number == day.number + 1)
    }
}
