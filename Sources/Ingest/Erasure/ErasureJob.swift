package import AfterpushWire

/// How far the erasure of a device is.
package struct ErasureJob: Sendable, Equatable {
    package let requestedAt: Timestamp
    /// Nil while it is under way.
    package let finishedAt: Timestamp?
    /// Deleted.
    package let events: Int64
    /// Deleted.
    package let replies: Int64
    /// Made anonymous.
    package let deliveries: Int64
    /// Refused events, deleted.
    package let rejected: Int64

    package init(
        requestedAt: Timestamp, finishedAt: Timestamp?, events: Int64, replies: Int64, deliveries: Int64,
        rejected: Int64
    ) {
        self.requestedAt = requestedAt
        self.finishedAt = finishedAt
        self.events = events
        self.replies = replies
        self.deliveries = deliveries
        self.rejected = rejected
    }

    package var isDone: Bool { finishedAt != nil }
}
