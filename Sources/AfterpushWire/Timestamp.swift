/// A moment in UTC with a resolution of one microsecond.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// The number of microseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let microseconds: Int64

    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The start of the year 1, the earliest moment that RFC 3339 can express.
    public static let earliest = Timestamp(microseconds: -62_135_596_800_000_000)

    /// The last microsecond of the year 9999, the latest moment that RFC 3339 can express.
    public static let latest = Timestamp(microseconds: 253_402_300_799_999_999)

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}

/// Encodes as an RFC 3339 string.
extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let timestamp = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 date and time")
        }
        self = timestamp
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
