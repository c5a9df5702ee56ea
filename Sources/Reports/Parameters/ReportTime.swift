package import AfterpushWire
package import Foundation

/// Reads the times in the parameters of a report.
package enum ReportTime {
    /// Reads an RFC 3339 time, also with a space instead of the `T`, or a date.
    ///
    /// A space before the offset counts as a plus: a query that was written by hand has a plus there, which is decoded as
    /// a space. A date means the first instant of that day in `zone`. Years are 0001 to 9999 in UTC.
    package static func read(_ text: String, zone: TimeZone) -> Timestamp? {
        var bytes = Array(text.utf8)
        if bytes.count == dateLength { return Timestamp(text + "T00:00:00Z").flatMap { firstInstant(ofDay: $0, zone) } }
        if bytes.count > dateLength, bytes[dateLength] == UInt8(ascii: " ") { bytes[dateLength] = UInt8(ascii: "T") }
        let offset = bytes.count - offsetLength
        if offset > dateLength, bytes[offset] == UInt8(ascii: " ") { bytes[offset] = UInt8(ascii: "+") }
        return Timestamp(rfc3339: bytes.span)
    }

    /// What a text must be, for the error if it can't be read.
    static let expectation =
        "must be a date that exists or an RFC 3339 time, like 2026-11-21 or 2026-11-21T10:00:00Z"

    /// The number of bytes in `2026-11-21`.
    static let dateLength = 10
    /// The number of bytes in `+02:00`.
    private static let offsetLength = 6

    /// Returns the start of a day, which is later than midnight where the zone skips midnight.
    private static func firstInstant(ofDay day: Timestamp, _ zone: TimeZone) -> Timestamp? {
        let noon = Date(timeIntervalSince1970: Double(day.microseconds / 1_000_000 + 43_200))
        let localNoon = noon.addingTimeInterval(-Double(zone.secondsFromGMT(for: noon)))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let seconds = Int64(calendar.startOfDay(for: localNoon).timeIntervalSince1970)
        let instant = Timestamp(microseconds: seconds * 1_000_000)
        return (Timestamp.earliest...Timestamp.latest).contains(instant) ? instant : nil
    }
}
