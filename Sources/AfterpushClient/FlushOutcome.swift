/// How far ``AfterpushClient/flush(within:)`` got.
public enum FlushOutcome: Sendable, Hashable {
    /// The queue is empty: everything is stored, or was dropped or rejected.
    case delivered
    /// Events wait for a later try.
    case waiting
    /// The collector does not take the key: events wait until the next start.
    case stopped
}
