import Foundation

/// A time given to a report, to the microsecond; its description is RFC 3339 in UTC.
struct ReportTime: Comparable, CustomStringConvertible {
    /// Since the Unix epoch.
    private let microseconds: Int64

    /// Reads RFC 3339 with an offset, or a date alone, which stands for the first instant of that day in `zone`.
    /// Years are 0001 to 9999.
    init?(_ text: String, zone: TimeZone) {
        // Matching takes a while even if there is nothing to match.
        if text.isEmpty { return nil }
        let time = /(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+\-]\d\d:\d\d))?/
        guard let match = text.wholeMatch(of: time.asciiOnlyDigits()), let days = Self.days(match.1) else { return nil }
        guard let hour = match.2, let minute = match.3, let second = match.4, let offset = match.6 else {
            guard let midnight = Self.midnight(days: days, zone: zone) else { return nil }
            self.init(seconds: midnight, microseconds: 0)
            return
        }
        guard let clock = Self.seconds(hour, minute, second), let offset = Self.seconds(offset: offset) else {
            return nil
        }
        let fraction = Int64(String((match.5 ?? "").prefix(6)).padded(to: 6)) ?? 0
        self.init(seconds: days * 86_400 + clock - offset, microseconds: fraction)
    }

    private init?(seconds: Int64, microseconds: Int64) {
        let years: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
        guard years.contains(seconds) else { return nil }
        self.microseconds = seconds * 1_000_000 + microseconds
    }

    static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    var description: String {
        let seconds = microseconds.flooredQuotient(1_000_000)
        let fraction = microseconds - seconds * 1_000_000
        let days = seconds.flooredQuotient(86_400)
        let clock = seconds - days * 86_400
        let (year, month, day) = CivilDate.civil(fromDays: days)
        let date = "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))"
        let time = "\((clock / 3600).padded(2)):\((clock / 60 % 60).padded(2)):\((clock % 60).padded(2))"
        return "\(date)T\(time)\(fraction == 0 ? "" : ".\(fraction.padded(6))")Z"
    }
}

extension ReportTime {
    private static func days(_ date: Substring) -> Int64? {
        let parts = date.split(separator: "-").compactMap { Int64($0) }
        guard parts.count == 3, parts[0] >= 1 else { return nil }
        return CivilDate.days(year: parts[0], month: parts[1], day: parts[2])
    }

    /// A zone that skips midnight begins the day later; its calendar knows when.
    private static func midnight(days: Int64, zone: TimeZone) -> Int64? {
        let noon = Date(timeIntervalSince1970: Double(days * 86_400 + 43_200))
        let localNoon = noon.addingTimeInterval(-Double(zone.secondsFromGMT(for: noon)))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return Int64(calendar.startOfDay(for: localNoon).timeIntervalSince1970)
    }

    private static func seconds(_ hour: Substring, _ minute: Substring, _ second: Substring) -> Int64? {
        guard let hour = Int64(hour), let minute = Int64(minute), let second = Int64(second),
            hour < 24, minute < 60, second < 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func seconds(offset: Substring) -> Int64? {
        if offset == "Z" || offset == "z" { return 0 }
        guard let size = seconds(offset.dropFirst().prefix(2), offset.suffix(2), "00") else { return nil }
        return offset.hasPrefix("-") ? -size : size
    }
}

extension Int64 {
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }

    fileprivate func padded(_ width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: "0", count: Swift.max(0, width - count))
    }
}
