package import AfterpushWire

/// How a spool is doing, for metrics and for the operator.
package struct SpoolStatus: Sendable, Equatable {
    /// Bytes of its file that are in use, and how many may be.
    package var bytes = 0
    package var capacity = 0
    /// What waits for PostgreSQL: entries, and the believed events in them.
    package var entries = 0
    package var events = 0
    /// When the request arrived whose events wait longest; nil if none do.
    package var oldest: AfterpushWire.Timestamp?
    /// Set aside and kept: entries, and the believed events in them as far as they are known.
    package var setAsideEntries = 0
    package var setAsideEvents = 0
    /// Whether its file can be written, as far as is known.
    package var isUsable = true
    package var counts = SpoolCounts()
}

/// What became of events since the collector started. Of believed events: those that were refused before they came into
/// the spool were counted as rejected then.
///
/// `found` + `spooled` = `SpoolStatus.events` + `stored` + `duplicates` + `rejected` + `setAside`.
package struct SpoolCounts: Sendable, Hashable {
    /// Left by an earlier run, or by another collector that ended.
    package var found = 0
    /// Answered 202.
    package var spooled = 0
    /// Replayed: new in PostgreSQL, there already, refused by it.
    package var stored = 0
    package var duplicates = 0
    package var rejected = 0
    /// Put aside, less those that were taken up again.
    package var setAside = 0
}
