/// The number of events that a client has sent, by their outcome.
///
/// A client sends the events of all processes that share its queue, so the counts may include events that it didn't
/// record.
public struct UploadCounts: Sendable, Hashable {
    /// The number of events that were new to the collector.
    public internal(set) var accepted = 0
    /// The number of events that the collector had already, because an earlier response was lost.
    public internal(set) var duplicates = 0
    /// The number of events that the collector rejected, by the code of the reason, such as `field_missing`. The
    /// collector keeps them with the reason. More than a hundred codes, and codes longer than 64 bytes, count as
    /// `other`.
    public internal(set) var rejected: [String: Int] = [:]
    /// The number of events that this client dropped.
    public internal(set) var dropped: [DropReason: Int] = [:]

    /// Counts a rejected event. A collector has few codes; something else could make up as many as fit into memory.
    mutating func countRejection(_ code: String) {
        let isKnown = rejected[code] != nil || rejected.count < 100 && code.utf8.count <= 64
        rejected[isKnown ? code : "other", default: 0] += 1
    }
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
