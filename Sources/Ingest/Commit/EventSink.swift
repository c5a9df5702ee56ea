/// Where groups of events become durable.
package protocol EventSink: Sendable {
    /// Makes a group durable and says what became of each of its requests, in their order.
    ///
    /// When it throws nothing is acknowledged, though something may have been stored: storing again is safe.
    func store(_ group: EventGroup) async throws(SinkError) -> [SubmissionOutcome]
}
