import AfterpushWire
package import Events
import Foundation

/// The events of some requests, to be stored in one transaction: each identity once, in the order of their keys.
///
/// Every writer sorts by the same key, so that two of them never wait for each other in a circle.
package struct EventGroup: Sendable {
    /// Sorted by delivery, event and device time; no identity stands twice.
    package let events: [Event]
    /// For each of `events` where it came from.
    package let origins: [Origin]
    /// What came more than once in the group, by app.
    package private(set) var repeats: [Int32: EventRepeats] = [:]
    package let pending: [PendingSubmission]
    private var outcomes: [SubmissionOutcome]

    package struct Origin: Sendable {
        package let submission: Int
        package let place: Int
    }

    package init(_ pending: [PendingSubmission]) {
        self.pending = pending
        self.outcomes = pending.map { SubmissionOutcome(accepted: 0, rejections: $0.validated.rejections) }
        var sorted: [SortKey] = []
        sorted.reserveCapacity(pending.reduce(0) { $0 + $1.validated.events.count })
        for (submission, request) in pending.enumerated() {
            for (place, event) in request.validated.events.enumerated() {
                sorted.append(SortKey(event, Origin(submission: submission, place: place)))
            }
        }
        // The order of arrival decides between equal identities, and sort is stable.
        sorted.sort { $0.precedes($1) }
        var events: [Event] = []
        var origins: [Origin] = []
        events.reserveCapacity(sorted.count)
        origins.reserveCapacity(sorted.count)
        var last: SortKey?
        for key in sorted {
            if let last, !last.precedes(key) {
                self.outcomes[key.origin.submission].duplicates += 1
                self.repeats[key.event.appID, default: EventRepeats()].duplicates += 1
                if !key.event.says(theSameAs: last.event) {
                    self.repeats[key.event.appID, default: EventRepeats()].conflicts += 1
                }
            } else {
                events.append(key.event)
                origins.append(key.origin)
                self.outcomes[key.origin.submission].accepted += 1
                last = key
            }
        }
        self.events = events
        self.origins = origins
    }

    /// What came in refused already.
    package var refusals: [StoredRejection] {
        pending.flatMap { request in
            request.validated.rejections.map {
                StoredRejection(appID: request.appID, receivedAt: request.receivedAt, rejection: $0)
            }
        }
    }

    /// What became of each request, in their order.
    package var results: [SubmissionOutcome] {
        outcomes.map { outcome in
            var outcome = outcome
            outcome.rejections.sort { $0.index < $1.index }
            return outcome
        }
    }

    /// Notes that the event at a place of `events` had been stored before.
    package mutating func markDuplicate(at place: Int) {
        let submission = origins[place].submission
        outcomes[submission].accepted -= 1
        outcomes[submission].duplicates += 1
    }

    /// Takes the event at a place of `events` out, and returns what is to be kept of it.
    package mutating func refuse(at place: Int, _ code: RejectionCode, _ detail: String) -> StoredRejection {
        let origin = origins[place]
        let request = pending[origin.submission]
        let rejection = request.submission.rejection(
            of: request.validated.positions[origin.place], code, detail)
        outcomes[origin.submission].accepted -= 1
        outcomes[origin.submission].rejections.append(rejection)
        return StoredRejection(appID: request.appID, receivedAt: request.receivedAt, rejection: rejection)
    }

    /// An event with its delivery as numbers, which decide nearly every comparison.
    private struct SortKey {
        let delivery: (high: UInt64, low: UInt64)
        let event: Event
        let origin: Origin

        init(_ event: Event, _ origin: Origin) {
            self.delivery = event.deliveryID.words
            self.event = event
            self.origin = origin
        }

        func precedes(_ other: SortKey) -> Bool {
            if delivery != other.delivery { return delivery < other.delivery }
            let (one, another) = (event.eventID.words, other.event.eventID.words)
            return one != another ? one < another : event.deviceTime < other.event.deviceTime
        }
    }
}
