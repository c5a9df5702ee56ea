/// How long things are kept, in seconds; nil is for ever.
///
/// The texts of replies have times of their own, by category and app.
package struct RetentionPeriods: Sendable, Equatable {
    /// Whole months of events go when all of them is past.
    package var events: Int64?
    /// At least as long as events.
    package var deliveries: Int64?
    package var rejected: Int64?

    package init(events: Int64? = nil, deliveries: Int64? = nil, rejected: Int64? = nil) {
        self.events = events
        self.deliveries = deliveries
        self.rejected = rejected
    }

    /// Whether deliveries are kept at least as long as events: a delivery without its events can be counted, events
    /// without their delivery can't.
    package var isConsistent: Bool {
        guard let deliveries else { return true }
        guard let events else { return false }
        return deliveries >= events
    }
}
