package import AfterpushWire
package import Events

/// A destination that makes groups of events durable.
package protocol EventSink: Sendable {
    /// Stores a group and returns the outcome of each of its requests, in their order.
    ///
    /// If it throws, nothing is acknowledged, although something may have been stored. Storing it again is safe.
    func store(_ group: EventGroup) async throws(SinkError) -> [SubmissionOutcome]

    /// Whether storing a group would take long because of what `prepare` does.
    func needsPreparation(_ group: EventGroup) -> Bool

    /// Does a part of the work before a group is stored, so that it doesn't count in the time for storing it.
    func prepare(_ group: EventGroup) async throws(SinkError)
}

extension EventSink {
    package func needsPreparation(_ group: EventGroup) -> Bool { false }
    package func prepare(_ group: EventGroup) async throws(SinkError) {}
}

/// The reason why a request could not be acknowledged. Its sender can try again.
package enum SinkError: Error, Sendable, Equatable {
    /// The database can't store it now, or did not say whether it did.
    case unavailable
    /// The database is a standby, which stores nothing until it is promoted.
    case standby
    /// The database responds and refuses the group, and storing fewer of its events doesn't help.
    case refused
    /// Names of these apps could not be reserved: other transactions lock them for long, or there are too many for the
    /// time of a group. The events of other apps can be stored without theirs.
    ///
    /// `hasProgressed` says whether some of the names were reserved, so that the next attempt has fewer.
    case namesLocked(apps: Set<Int32>, hasProgressed: Bool = false)
    /// The queue is full, or the request waited too long in it.
    case overloaded
    /// The collector is stopping.
    case draining

    /// Whether a part of the work was done, so that trying again soon gets further.
    package var hasProgressed: Bool {
        if case .namesLocked(apps: _, hasProgressed: true) = self { true } else { false }
    }
}

/// The outcome of one request's events.
package struct SubmissionOutcome: Sendable, Equatable {
    /// The number of new events.
    package var accepted: Int
    /// The number of events that were stored before, or appear twice in the request.
    package var duplicates = 0
    package var rejections: [Rejection]
    /// The place where the new events and the rejections are durable.
    package var durability = Durability.committed

    package init(accepted: Int, duplicates: Int = 0, rejections: [Rejection]) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.rejections = rejections
    }
}
