/// The body of `POST /v1/events`.
public struct IngestRequest: Sendable, Hashable, Codable {
    /// The device's clock when it sends, from which the collector corrects the events' times.
    public var sentAt: Timestamp?
    /// At most 5,000.
    public var events: [IngestEvent]

    public init(sentAt: Timestamp? = nil, events: [IngestEvent]) {
        self.sentAt = sentAt
        self.events = events
    }

    enum CodingKeys: String, CodingKey {
        case sentAt = "sent_at"
        case events
    }
}
