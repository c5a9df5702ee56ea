package import Foundation

/// A named period of a report, such as the last seven days: a short form of the parameters `from` and `to`.
package struct ReportPeriod: Sendable, Equatable {
    private enum Length: Equatable {
        case all
        /// Full hours that end with the one under way.
        case hours(Int)
        /// Local days that end with the one under way.
        case days(Int)
        case yesterday
        case month
        case lastMonth
    }

    private let length: Length

    /// What a period can be, in words for errors and help.
    package static let forms = "today, yesterday, month, last-month, all, or hours or days like 24h or 7d"

    package init?(_ text: String) {
        switch text {
        case "all": length = .all
        case "today": length = .days(1)
        case "yesterday": length = .yesterday
        case "month": length = .month
        case "last-month": length = .lastMonth
        default:
            guard let match = text.wholeMatch(of: /([1-9][0-9]{0,4})([hd])/), let count = Int(match.1) else {
                return nil
            }
            length = match.2 == "h" ? .hours(count) : .days(count)
        }
    }

    /// Returns the parameters of the period at a moment. Days and months are those of the zone; `to` is exclusive, and in
    /// a period that is under way the end of the hour.
    package func bounds(at now: Date, in zone: TimeZone) -> (from: String, to: String) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let hour = Date(timeIntervalSince1970: (now.timeIntervalSince1970 / 3600).rounded(.down) * 3600 + 3600)
        let today = calendar.startOfDay(for: now)
        func day(_ count: Int) -> Date { calendar.date(byAdding: .day, value: count, to: today) ?? today }
        func month(_ count: Int) -> Date {
            let first = calendar.dateInterval(of: .month, for: now)?.start ?? today
            return calendar.date(byAdding: .month, value: count, to: first) ?? first
        }
        let (from, to): (Date, Date)
        switch length {
        case .all: return ("", "")
        case .hours(let count): (from, to) = (hour.addingTimeInterval(-3600 * Double(count)), hour)
        case .days(let count): (from, to) = (day(1 - count), hour)
        case .yesterday: (from, to) = (day(-1), today)
        case .month: (from, to) = (month(0), hour)
        case .lastMonth: (from, to) = (month(-1), month(0))
        }
        return (from.formatted(.iso8601), to.formatted(.iso8601))
    }
}
