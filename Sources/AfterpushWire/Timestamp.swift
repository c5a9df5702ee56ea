/// A moment in UTC, exact to the microsecond.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Microseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let microseconds: Int64

    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The start of the year 1, the earliest moment that can be written as text.
    public static let earliest = Timestamp(microseconds: -62_135_596_800_000_000)

    /// The last microsecond of the year 9999, the latest moment that can be written as text.
    public static let latest = Timestamp(microseconds: 253_402_300_799_999_999)

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}
