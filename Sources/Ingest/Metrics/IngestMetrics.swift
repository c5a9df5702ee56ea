import AfterpushWire
package import Events
package import Instruments

/// What is counted from a request's events being read to their being durable.
///
/// At rest, `received` is the sum of all outcomes, to the unit; under load the difference is what is on its way.
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

    /// Counts what became of a request.
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
