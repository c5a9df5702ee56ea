/// What became of the events that this instance sent, whichever process recorded them.
public struct DeliveryCounts: Sendable, Hashable {
    /// New to the collector.
    public internal(set) var accepted = 0
    /// Known to the collector from an earlier try.
    public internal(set) var duplicates = 0
    /// Rejected by the collector, which keeps them with the reason, by that reason's code.
    public internal(set) var rejected: [String: Int] = [:]
    /// Given up by this instance while it sent.
    public internal(set) var dropped: [DropReason: Int] = [:]
}
