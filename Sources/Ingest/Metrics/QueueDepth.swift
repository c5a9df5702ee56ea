package import Instruments

/// What waits for a group at one moment.
package struct QueueDepth: Sendable, Hashable {
    package let events: Int
    package let requests: Int
    /// Events that may wait.
    package let capacity: Int

    package var families: [MetricFamily] {
        [
            .gauge("afterpush_queue_events", "Events waiting to be stored.", Double(events)),
            .gauge("afterpush_queue_requests", "Requests waiting to be stored.", Double(requests)),
            .gauge(
                "afterpush_queue_capacity_events", "Maximum number of waiting events; beyond it requests get 503.",
                Double(capacity)),
        ]
    }
}
