import AfterpushWire
import Foundation
import Ingest
package import Instruments

/// A snapshot of the spool's health, for metrics and checks.
package struct SpoolHealth: Sendable, Hashable {
    package var bytes: Int
    package var capacityBytes: Int?
    package var entries: Int
    package var events: Int
    /// The age of the oldest entry in seconds, or `nil` for an empty spool.
    package var oldestSeconds: Double?
    /// The number of entries that can't be replayed and are kept for inspection.
    package var setAside: Int
    package var isUsable: Bool
    /// The number of events replayed since the program started.
    package var replayedEvents: Int
    /// The sources and outcomes of the spool's events since the program started.
    package var counts = SpoolCounts()

    package init(
        bytes: Int, capacityBytes: Int? = nil, entries: Int, events: Int, oldestSeconds: Double?, setAside: Int,
        isUsable: Bool, replayedEvents: Int
    ) {
        self.bytes = bytes
        self.capacityBytes = capacityBytes
        self.entries = entries
        self.events = events
        self.oldestSeconds = oldestSeconds
        self.setAside = setAside
        self.isUsable = isUsable
        self.replayedEvents = replayedEvents
    }

    package var families: [MetricFamily] {
        [
            .gauge("afterpush_spool_usable", "1 while the spool can take events, else 0.", isUsable ? 1 : 0),
            .gauge("afterpush_spool_bytes", "Size of the spool.", Double(bytes)),
            .gauge("afterpush_spool_capacity_bytes", "Maximum size of the spool.", capacityBytes.map { Double($0) }),
            .gauge("afterpush_spool_entries", "Entries waiting to be replayed.", Double(entries)),
            .gauge("afterpush_spool_events", "Events waiting to be replayed.", Double(events)),
            .gauge(
                "afterpush_spool_oldest_seconds", "Age of the oldest waiting entry; 0 for an empty spool.",
                oldestSeconds ?? 0),
            .gauge("afterpush_spool_set_aside", "Entries that can't be replayed and were set aside.", Double(setAside)),
            .counter(
                "afterpush_spool_replayed_events_total", "Events replayed from the spool.", Double(replayedEvents)),
            .counter(
                "afterpush_spool_received_events_total",
                "Events added to the spool, by source. They add up to the events that are waiting, were replayed or were set aside.",
                [SpoolSource.spooled: Double(counts.spooled), .found: Double(counts.found)]),
            .counter(
                "afterpush_spool_outcome_events_total", "Events replayed from the spool, by outcome.",
                [
                    EventOutcome.stored: Double(counts.stored), .duplicate: Double(counts.duplicates),
                    .rejected: Double(counts.rejected),
                ]),
            .gauge(
                "afterpush_spool_set_aside_events", "Events set aside since the start, minus those replayed later.",
                Double(counts.setAside)),
        ]
    }
}

/// The source of the spool's events, as a metric label.
enum SpoolSource: String, Label {
    /// The event was spooled by this collector and answered with 202.
    case spooled
    /// The event was left by an earlier run or another collector.
    case found

    static let labelName = "source"
}

extension Spool {
    /// A snapshot of the spool's health.
    package var reading: SpoolHealth {
        let status = self.status
        let now = Date().timeIntervalSince1970
        let hasSpace = DiskSpace.free(at: configuration.directory) >= configuration.freeMargin
        var reading = SpoolHealth(
            bytes: status.bytes, capacityBytes: status.capacity, entries: status.entries, events: status.events,
            oldestSeconds: status.oldest.map { max(0, now - Double($0.microseconds) / 1_000_000) },
            setAside: status.setAsideEntries, isUsable: status.isUsable && hasSpace,
            replayedEvents: status.counts.stored + status.counts.duplicates + status.counts.rejected)
        reading.counts = status.counts
        return reading
    }
}
