/// Why an event that was recorded was given up.
public enum DropReason: String, Sendable, Hashable, CaseIterable {
    /// It was older than the configuration allows.
    case age
    /// The queue was larger than the configuration allows, and the oldest events went.
    case size
    /// The collector could not read it, even alone.
    case refused
    /// The disk gave back other bytes than were written.
    case damaged
}
