/// The number of events that a client has sent, by their outcome.
///
/// A client sends the events of all processes that share its queue, so the counts may include events that it didn't
/// record.
public struct UploadCounts: Sendable, Hashable {
    /// The number of events that were new to the collector.
    public internal(set) var accepted = 0
    /// The number of events that the collector had already, because an earlier response was lost.
    public internal(set) var duplicates = 0
    /// The number of events that the collector rejected, by the code of the reason, such as `field_missing`. The collector
    /// keeps them with the reason.
    public internal(set) var rejected: [String: Int] = [:]
    /// The number of events that this client dropped.
    public internal(set) var dropped: [DropReason: Int] = [:]
}

/// The reason for which a recorded event was dropped without being stored.
///
/// The next event states how many were dropped, by reason, in its property `afterpush_dropped`.
public enum DropReason: String, Sendable, Hashable, CaseIterable {
    /// The event was older than ``AfterpushConfiguration/maximumAge``.
    case age
    /// The queue was larger than ``AfterpushConfiguration/maximumBytes``, and the event was among its oldest.
    case size
    /// The collector could not read a request with this event alone.
    case refused
    /// The disk returned other bytes than were written.
    case damaged
}
