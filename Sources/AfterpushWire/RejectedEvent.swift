/// One event that was rejected, in the answer to its sender.
public struct RejectedEvent: Sendable, Hashable, Codable {
    /// The event's position in the request, from 0.
    public var index: Int
    /// As the event stated it; null in JSON if it stated none.
    public var eventID: String?
    /// The stable name of the reason.
    public var code: String
    /// The field and what is wrong with it, for a person.
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

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(index, forKey: .index)
        try container.encode(eventID, forKey: .eventID)
        try container.encode(code, forKey: .code)
        try container.encode(detail, forKey: .detail)
    }
}
