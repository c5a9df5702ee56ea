import Foundation

/// The microseconds of one hour.
package let microsecondsPerHour = 3_600_000_000

/// The start of the hour that contains a time; both in microseconds since the Unix epoch.
package func hourStart(_ time: Int) -> Int {
    let pastTheHour = time % microsecondsPerHour
    return pastTheHour < 0 ? time - pastTheHour - microsecondsPerHour : time - pastTheHour
}

/// "An hour belongs to the local day that holds its start": that day as `2026-11-21`.
func localDay(ofHour hour: Int, in zone: TimeZone) -> Identifier {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let start = Date(timeIntervalSince1970: Double(hour / 1_000_000))
    let parts = calendar.dateComponents([.year, .month, .day], from: start)
    return Identifier("\(padded(parts.year ?? 0, 4))-\(padded(parts.month ?? 0, 2))-\(padded(parts.day ?? 0, 2))")
}

/// The first moment of the local day that an hour belongs to.
func localDayStart(ofHour hour: Int, in zone: TimeZone) -> Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let start = calendar.startOfDay(for: Date(timeIntervalSince1970: Double(hour / 1_000_000)))
    return Int(start.timeIntervalSince1970) * 1_000_000
}

/// A time in whole seconds in RFC 3339, UTC.
func secondText(_ time: Int) -> Identifier {
    Identifier(rfc3339Seconds(time) + "Z")
}

/// An hour in RFC 3339, UTC: `2026-11-21T10:00:00Z` (decision D8).
func hourText(_ hour: Int) -> Identifier {
    Identifier(rfc3339Seconds(hour) + "Z")
}

/// A time in RFC 3339, UTC, with six digits of the second.
package func rfc3339(_ time: Int) -> String {
    let microseconds = time - hourStart(time)
    return "\(rfc3339Seconds(time)).\(padded(microseconds % 1_000_000, 6))Z"
}

private func rfc3339Seconds(_ time: Int) -> String {
    let hour = hourStart(time)
    let seconds = (time - hour) / 1_000_000
    let utc = TimeZone(secondsFromGMT: 0) ?? .current
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = utc
    let hourOfDay = calendar.component(.hour, from: Date(timeIntervalSince1970: Double(hour / 1_000_000)))
    let day = localDay(ofHour: hour, in: utc).text
    return "\(day)T\(padded(hourOfDay, 2)):\(padded(seconds / 60, 2)):\(padded(seconds % 60, 2))"
}

private func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
