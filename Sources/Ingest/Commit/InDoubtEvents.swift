import AfterpushWire
import Events
import Foundation

/// The events of groups that failed lately without an answer from the database.
///
/// The transaction of such a group may be under way still, and whoever stores one of its events again waits for it. So
/// what comes again is told from what is new. Each is remembered for 15 to 30 seconds, and then, if it still can't be
/// stored, from its next failure on.
struct InDoubtEvents {
    private static let generation: Duration = .seconds(15)

    private var events: Set<UUID> = []
    private var olderEvents: Set<UUID> = []
    private var generationEnd: ContinuousClock.Instant?
    private let capacity: Int

    /// - Parameter capacity: events of a generation; what exceeds it is taken for new.
    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func insert(_ requests: some Sequence<PendingSubmission>, at now: ContinuousClock.Instant) {
        removeExpired(at: now)
        for request in requests {
            for event in request.validated.events where events.count < capacity { events.insert(event.eventID) }
        }
        generationEnd = generationEnd ?? now + Self.generation
    }

    /// Whether a request has an event that is in doubt, as of the last `removeExpired`.
    func contains(_ request: PendingSubmission) -> Bool {
        guard generationEnd != nil else { return false }
        return request.validated.events.contains { events.contains($0.eventID) || olderEvents.contains($0.eventID) }
    }

    mutating func removeExpired(at now: ContinuousClock.Instant) {
        while let end = generationEnd, end <= now {
            olderEvents = events
            events = []
            generationEnd = olderEvents.isEmpty ? nil : end + Self.generation
        }
    }
}
