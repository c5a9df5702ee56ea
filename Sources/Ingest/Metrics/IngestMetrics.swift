import AfterpushWire
package import Events
package import Instruments

/// The metrics of events, from reading a request to storing it.
///
/// When nothing is waiting, `received` is exactly the sum of all outcomes; under load, the difference is in progress.
package struct IngestMetrics: Sendable {
    package let received = Counter<NoLabels>(
        "afterpush_events_received_total",
        "Events read from requests and submitted for storage, whatever the outcome.")
    package let events = Counter<EventOutcome>(
        "afterpush_events_total", "Events by outcome. When nothing is waiting, they add up to the events received.")
    package let rejections = Counter<RejectionCode>("afterpush_rejections_total", "Rejected events by code.")
    package let unacknowledged = Counter<UnacknowledgedCause>(
        "afterpush_unacknowledged_requests_total", "Requests whose events could not be stored, by cause.")
    package let acknowledgements = Histogram<NoLabels>(
        "afterpush_acknowledgement_seconds", "Time from reading a request's events to their being durable.",
        bounds: .latencies)
    package let groups = Histogram<NoLabels>(
        "afterpush_group_events", "Events per group; a group is one transaction.",
        bounds: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000])
    package let commits = Histogram<NoLabels>(
        "afterpush_commit_seconds", "Time to store a group, retries included.", bounds: .latencies)
    package let keyLookups = Counter<KeyLookup>(
        "afterpush_key_lookups_total", "API key lookups, by result.")

    package init() {}

    package var families: [MetricFamily] {
        let metrics: [any Metric] = [
            received, events, rejections, unacknowledged, acknowledgements, groups, commits, keyLookups,
        ]
        return metrics.map(\.family)
    }

    /// Counts the outcome of a request.
    func settle(_ result: Result<SubmissionOutcome, SinkError>, of events: Int, after duration: Duration) {
        switch result {
        case .success(let outcome):
            self.events.add(outcome.accepted, outcome.durability == .spooled ? .spooled : .stored)
            self.events.add(outcome.duplicates, .duplicate)
            self.events.add(outcome.rejections.count, .rejected)
            for rejection in outcome.rejections { rejections.add(1, rejection.code) }
            acknowledgements.observe(duration)
        case .failure(let error):
            self.events.add(events, .unacknowledged)
            unacknowledged.add(1, UnacknowledgedCause(error))
        }
    }
}

/// The outcome of an event. Each event that was read has exactly one, so that none vanishes.
package enum EventOutcome: String, Label {
    case stored
    /// The event was stored before, or is repeated in the request.
    case duplicate
    case rejected
    /// The event is durable in the local spool, whose metrics count it when it is replayed.
    case spooled
    /// The response was retryable, so the sender still has the event.
    case unacknowledged

    package static let labelName = "outcome"
}

extension RejectionCode: Label {
    package static let labelName = "code"
}

/// The label for the reason why a request could not be acknowledged.
package enum UnacknowledgedCause: String, Label {
    case storageUnavailable = "storage_unavailable"
    case overloaded, draining

    package static let labelName = "cause"

    init(_ error: SinkError) {
        switch error {
        case .unavailable, .standby, .refused, .namesLocked: self = .storageUnavailable
        case .overloaded: self = .overloaded
        case .draining: self = .draining
        }
    }
}

/// The label for the result of an API key lookup.
package enum KeyLookup: String, Label {
    /// The key was cached, and no query was needed.
    case remembered
    case found, unknown
    /// The database did not respond, and the cached grant was used.
    case trusted
    case failed

    package static let labelName = "result"
}

/// The size of the queue at one moment.
package struct QueueDepth: Sendable, Hashable {
    package let events: Int
    package let requests: Int
    /// The most events that can wait.
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
