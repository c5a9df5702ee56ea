/// The body of `POST /v1/events`.
public struct IngestRequest: Sendable, Hashable, Codable {
    /// The time of sending by the device's clock. The collector corrects the times of the events by its error.
    public var sentAt: Timestamp?
    /// The events, at most 5,000.
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
