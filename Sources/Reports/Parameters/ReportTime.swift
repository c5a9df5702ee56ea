import AfterpushWire
import Foundation

/// Times as they are given to a report.
enum ReportTime {
    /// Reads RFC 3339 with an offset, also with a space in place of its `T`, or a date alone, which means the first instant
    /// of that day in `zone`. Years are 0001 to 9999 in UTC.
    static func read(_ text: String, zone: TimeZone) -> Timestamp? {
        var bytes = Array(text.utf8)
        if bytes.count == dateLength { return Timestamp(text + "T00:00:00Z").flatMap { firstInstant(ofDay: $0, zone) } }
        if bytes.count > dateLength, bytes[dateLength] == UInt8(ascii: " ") { bytes[dateLength] = UInt8(ascii: "T") }
        return Timestamp(rfc3339: bytes.span)
    }

    /// Bytes of `2026-11-21`.
    static let dateLength = 10

    /// A zone that skips midnight begins the day later; its calendar knows when.
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
