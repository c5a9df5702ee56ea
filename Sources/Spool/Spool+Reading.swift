import AfterpushWire
import Foundation

extension Spool {
    /// How it is doing now, for metrics.
    package var reading: SpoolHealth {
        let status = self.status
        let now = Date().timeIntervalSince1970
        var reading = SpoolHealth(
            bytes: status.bytes, capacityBytes: status.capacity, entries: status.entries, events: status.events,
            oldestSeconds: status.oldest.map { max(0, now - Double($0.microseconds) / 1_000_000) },
            setAside: status.setAsideEntries, isUsable: status.isUsable,
            replayedEvents: status.counts.stored + status.counts.duplicates + status.counts.rejected)
        reading.counts = status.counts
        return reading
    }
}
