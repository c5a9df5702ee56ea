package import Instruments

/// What waits for a group at one moment.
package struct QueueDepth: Sendable, Hashable {
    package let events: Int
    package let requests: Int
    /// Events that may wait.
    package let capacity: Int

    package var families: [MetricFamily] {
        [
            .gauge("afterpush_queue_events", "Events that wait for a group.", Double(events)),
            .gauge("afterpush_queue_requests", "Requests that wait for a group.", Double(requests)),
            .gauge(
                "afterpush_queue_capacity_events", "Events that may wait; past it requests get 503.", Double(capacity)),
        ]
    }
}
