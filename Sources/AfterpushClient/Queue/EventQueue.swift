import AfterpushWire

/// Where events wait until they are acknowledged. Safe to use from anywhere; calls block as long as the disk does.
protocol EventQueue: Sendable {
    /// Keeps an event; when this returns, it outlives the process.
    ///
    /// - Parameter json: makes the event's JSON, with what was dropped since that was last told.
    /// - Returns: Whether it was kept: not if the person opted out.
    func append(at time: Timestamp, _ json: ([DropReason: Int]) throws(RecordError) -> [UInt8]) throws(RecordError)
        -> Bool

    /// Whether nobody else sends from this queue, nor will for so many seconds.
    func mayBeSent(forNext seconds: Double) -> Bool
    func endSending()

    /// The oldest events, as many as one request takes.
    func batch(_ limits: BatchLimits) -> Batch
    /// Forgets a batch, whose events are durable elsewhere.
    func acknowledge(_ batch: Batch)
    /// Forgets a batch, whose events are lost.
    func drop(_ batch: Batch, _ reason: DropReason)
    /// Removes what is acknowledged from the disk; thoroughly also what would be cheaper to keep a while.
    func tidy(thoroughly: Bool)

    /// Empties the queue, and keeps it empty, in all processes.
    func optOut() throws(RecordError)
    /// Removes what is left of the time before opting out, and accepts events again.
    func optIn() throws(RecordError)
    var isOptedOut: Bool { get }
}
