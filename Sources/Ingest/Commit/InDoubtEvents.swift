import AfterpushWire
import Events
import Foundation

/// The events of groups that failed recently without a response from the database.
///
/// The transaction of such a group may still be open, and storing one of its events again waits for it. So requests with
/// such events are kept apart from new ones. Each event is remembered for one to two periods, 15 to 30 seconds by
/// default, and again from its next failure on.
struct InDoubtEvents {
    private var events: Set<UUID> = []
    private var olderEvents: Set<UUID> = []
    private var periodEnd: ContinuousClock.Instant?
    private let capacity: Int
    private let period: Duration

    /// Creates an empty set.
    ///
    /// - Parameters:
    ///   - capacity: the most events remembered per period; further events count as new.
    ///   - period: how long events are remembered at least; zero remembers nothing.
    init(capacity: Int, period: Duration = .seconds(15)) {
        self.capacity = capacity
        self.period = period
    }

    mutating func insert(_ requests: some Sequence<PendingSubmission>, at now: ContinuousClock.Instant) {
        removeExpired(at: now)
        for request in requests {
            for event in request.validated.events where events.count < capacity { events.insert(event.eventID) }
        }
        periodEnd = periodEnd ?? now + period
    }

    /// Whether a request has an event that is in doubt, as of the last `removeExpired`.
    func contains(_ request: PendingSubmission) -> Bool {
        guard periodEnd != nil else { return false }
        return request.validated.events.contains { events.contains($0.eventID) || olderEvents.contains($0.eventID) }
    }

    mutating func removeExpired(at now: ContinuousClock.Instant) {
        while let end = periodEnd, end <= now {
            olderEvents = events
            events = []
            periodEnd = olderEvents.isEmpty ? nil : end + period
        }
    }
}
