/// The body of the response to `POST /v1/events`, with status 200, 202 or 422.
///
/// `accepted`, `duplicates` and the count of `rejected` add up to the number of events in the request. None of them needs
/// to be sent again.
public struct IngestResponse: Sendable, Hashable, Codable {
    /// The number of events that are new and durable.
    public var accepted: Int
    /// The number of events that the collector had already.
    public var duplicates: Int
    /// The events that are invalid. Sending them again leads to the same result.
    public var rejected: [RejectedEvent]
    /// The place where the accepted events are stored.
    public var durability: Durability

    public init(accepted: Int, duplicates: Int, rejected: [RejectedEvent], durability: Durability) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.rejected = rejected
        self.durability = durability
    }
}

/// The place where acknowledged events are durable.
public enum Durability: String, Sendable, Hashable, Codable {
    /// PostgreSQL has committed them.
    case committed
    /// The collector's local spool holds them until PostgreSQL is available.
    case spooled
}

/// An event that was rejected, and why.
public struct RejectedEvent: Sendable, Hashable, Codable {
    /// The position of the event in the request, from 0.
    public var index: Int
    /// The id that the event stated. Encoded as null if it stated none.
    public var eventID: String?
    /// The stable name of the reason, such as `field_missing`.
    public var code: String
    /// The field and what is wrong with it, in English.
    public var detail: String

    public init(index: Int, eventID: String?, code: String, detail: String) {
        self.index = index
        self.eventID = eventID
        self.code = code
        self.detail = detail
    }

    enum CodingKeys: String, CodingKey {
        case index
        case eventID = "event_id"
        case code
        case detail
    }

    // Written by hand: the synthesized method leaves out an id that is nil.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(index, forKey: .index)
        try container.encode(eventID, forKey: .eventID)
        try container.encode(code, forKey: .code)
        try container.encode(detail, forKey: .detail)
    }
}
