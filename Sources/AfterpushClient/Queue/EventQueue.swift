import AfterpushWire

/// A queue that keeps events until they are acknowledged.
///
/// All methods may be called from any thread, and block it as long as the disk takes.
protocol EventQueue: Sendable {
    /// Stores an event. When this returns, the event survives the end of the process.
    ///
    /// - Parameter json: Makes the JSON of the event, given the number of dropped events to report with it.
    /// - Returns: False if the event was not stored because the person has opted out.
    func append(at time: Timestamp, _ json: ([DropReason: Int]) throws(RecordError) -> [UInt8]) throws(RecordError)
        -> Bool

    /// Acquires or renews the right to send for some seconds. Returns false if another instance holds it.
    func acquireSenderLease(seconds: Double) -> Bool
    func releaseSenderLease()

    /// Returns the oldest events, as many as one request may have, without removing them.
    func nextBatch(_ limits: BatchLimits) -> Batch
    /// Removes the events of a batch that the collector has acknowledged.
    func acknowledge(_ batch: Batch)
    /// Removes the events of a batch that can't be sent, and counts them.
    func drop(_ batch: Batch, _ reason: DropReason)
    /// Removes files that are no longer needed. Unless `thoroughly`, it keeps those that are likely to be used again.
    func cleanUp(thoroughly: Bool)

    /// Empties the queue and keeps it empty, in all processes.
    func optOut() throws(RecordError)
    /// Accepts events again. Events from before opting out don't come back.
    func optIn() throws(RecordError)
    var isOptedOut: Bool { get }
}
