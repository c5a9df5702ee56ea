package import AfterpushWire

/// The progress of a device's erasure.
package struct ErasureJob: Sendable, Equatable {
    package let requestedAt: Timestamp
    /// The time at which it finished, or `nil` while it is running.
    package let finishedAt: Timestamp?
    /// The number of deleted events.
    package let events: Int64
    /// The number of deleted reply texts.
    package let replies: Int64
    /// The number of anonymized deliveries.
    package let deliveries: Int64
    /// The number of deleted rejections.
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
