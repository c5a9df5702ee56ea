import AfterpushWire
import Foundation
import SeededRandom
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.999999Z", -1),
        ("2026-11-21T10:00:00.5Z", 1_795_255_200_500_000),
        ("2026-11-21t10:00:00.5z", 1_795_255_200_500_000),
        ("2026-11-21T12:30:00.5+02:30", 1_795_255_200_500_000),
        ("2026-11-20T23:00:00.5-11:00", 1_795_255_200_500_000),
        ("2026-11-21T10:00:00.50000099999999999999999999Z", 1_795_255_200_500_000),
        ("2026-11-21T10:00:00-00:00", 1_795_255_200_000_000),
        ("2024-02-29T00:00:00Z", 1_709_164_800_000_000),
        ("2000-02-29T00:00:00Z", 951_782_400_000_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
        ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ])
    func `an RFC 3339 time is parsed exactly`(text: String, microseconds: Int64) {
        #expect(Timestamp(text)?.microseconds == microseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-11-21", "2026-11-21T10:00:00", "2026-11-21 10:00:00Z", "2026-11-21T10:00Z",
        "2026-11-21T10:00:00.Z", "2026-11-21T10:00:00,5Z", "2026-11-21T10:00:00+0200", "2026-11-21T10:00:00+02",
        "2026-11-21T10:00:00Z ", " 2026-11-21T10:00:00Z", "2026-11-21T10:00:00ZZ", "2026-11-21T10:00:00.5",
        "2026-11-21T24:00:00Z", "2026-11-21T10:60:00Z", "2026-11-21T10:00:61Z", "2026-11-21T10:00:00+24:00",
        "2026-11-21T10:00:00+02:60", "2026-13-01T10:00:00Z", "2026-00-01T10:00:00Z", "2026-11-31T10:00:00Z",
        "2026-11-00T10:00:00Z", "2026-02-29T10:00:00Z", "1900-02-29T10:00:00Z", "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "99999-12-31T23:59:59Z", "-026-11-21T10:00:00Z",
        "2026-11-21T10:00:00é", "２026-11-21T10:00:00Z", "2026-11-21T1a:00:00Z", "294277-01-01T00:00:00Z",
    ])
    func `any other text is not parsed as a time`(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func `a leap second counts as the following second, and is accepted only at the end of a month in UTC`() {
        #expect(Timestamp("2016-12-31T23:59:60Z") == Timestamp("2017-01-01T00:00:00Z"))
        #expect(Timestamp("2016-12-31T23:59:60.25Z") == Timestamp("2017-01-01T00:00:00.25Z"))
        #expect(Timestamp("2017-01-01T05:29:60+05:30") == Timestamp("2017-01-01T00:00:00Z"))
        #expect(Timestamp("2016-12-30T23:59:60Z") == nil)
        #expect(Timestamp("2016-12-31T22:59:60Z") == nil)
        #expect(Timestamp("9999-12-31T23:59:60Z") == nil)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (1_795_255_200_500_000, "2026-11-21T10:00:00.500Z"),
        (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
        (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
    ])
    func `a time is written with as few digits as represent it exactly`(microseconds: Int64, text: String) {
        #expect(Timestamp(microseconds: microseconds).description == text)
    }

    @Test func `days are parsed and formatted as Foundation counts them`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for day in stride(from: -135_000, to: 300_000, by: 37) {
            let time = Timestamp(microseconds: Int64(day) * 86_400_000_000)
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
            let (year, month, date) = try (#require(parts.year), #require(parts.month), #require(parts.day))
            let text = String(format: "%04d-%02d-%02dT00:00:00Z", year, month, date)
            #expect(time.description == text)
            #expect(Timestamp(text) == time)
        }
    }

    @Test func `a formatted time is parsed back to the same time`() {
        let seed = UInt64.random(in: 1...999_999)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10_000 {
            let range = Timestamp.earliest.microseconds...Timestamp.latest.microseconds
            let time = Timestamp(microseconds: .random(in: range, using: &random))
            #expect(Timestamp(time.description) == time, "seed \(seed)")
        }
    }

    @Test func `times outside RFC 3339's range are formatted, too`() {
        #expect(Timestamp(microseconds: .min).description.hasPrefix("-290308-"))
        #expect(Timestamp(microseconds: .max).description.hasPrefix("294247-"))
    }
}
