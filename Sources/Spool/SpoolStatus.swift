package import AfterpushWire

/// The status of a spool, for metrics and for the operator.
package struct SpoolStatus: Sendable, Equatable {
    /// The used size of the spool file in bytes; `capacity` is its maximum.
    package var bytes = 0
    package var capacity = 0
    /// The number of waiting entries; `events` is the number of valid events in them.
    package var entries = 0
    package var events = 0
    /// The arrival time of the oldest waiting request, or `nil` when none waits.
    package var oldest: AfterpushWire.Timestamp?
    /// The number of entries set aside; `setAsideEvents` is the number of valid events in them, as far as it is known.
    package var setAsideEntries = 0
    package var setAsideEvents = 0
    /// Whether the spool file can be written, as far as is known.
    package var isUsable = true
    package var counts = SpoolCounts()
}

/// The sources and outcomes of spooled events since the collector started.
///
/// Only valid events are counted. Events that were rejected before they were spooled have been counted as rejected.
///
/// `found` + `spooled` = `SpoolStatus.events` + `stored` + `duplicates` + `rejected` + `setAside`.
package struct SpoolCounts: Sendable, Hashable {
    /// The number of events left by an earlier run or by another collector that ended.
    package var found = 0
    /// The number of events spooled by this collector, whose requests got 202.
    package var spooled = 0
    /// The number of replayed events that were new to PostgreSQL; `duplicates` and `rejected` count the others.
    package var stored = 0
    package var duplicates = 0
    package var rejected = 0
    /// The number of events set aside, minus those put back later.
    package var setAside = 0
}
