/// The answer to `POST /v1/events` with status 200, 202 or 422.
public struct IngestResponse: Sendable, Hashable, Codable {
    /// How many events are new and durable.
    public var accepted: Int
    /// How many were known already.
    public var duplicates: Int
    /// Those that will never be taken, however often they are sent.
    public var rejected: [RejectedEvent]
    public var durability: Durability

    public init(accepted: Int, duplicates: Int, rejected: [RejectedEvent], durability: Durability) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.rejected = rejected
        self.durability = durability
    }
}
