import Instruments

/// What became of an event that was read: one of these for each, so that nothing vanishes.
package enum EventOutcome: String, Label {
    case stored
    /// Stored before, or twice in one request.
    case duplicate
    case rejected
    /// Durable in the local spool; counted there when it is replayed.
    case spooled
    /// Answered with a retryable status: its sender has it still.
    case unacknowledged

    package static let labelName = "outcome"
}
