import AfterpushWire
import Foundation

/// The events of some requests, to be stored in one transaction: each identity once, in the order of their keys.
///
/// Every writer sorts by the same key, so that two of them never wait for each other in a circle.
package struct EventGroup: Sendable {
    /// Sorted by delivery, event and device time; no identity stands twice.
    package let events: [Event]
    /// For each of `events` where it came from.
    let origins: [Origin]
    let pending: [PendingSubmission]
    private var outcomes: [SubmissionOutcome]

    struct Origin {
        let submission: Int
        let place: Int
    }

    package init(_ pending: [PendingSubmission]) {
        self.pending = pending
        self.outcomes = pending.map { SubmissionOutcome(accepted: 0, rejections: $0.validated.rejections) }
        var sorted: [(event: Event, origin: Origin)] = []
        sorted.reserveCapacity(pending.reduce(0) { $0 + $1.validated.events.count })
        for (submission, request) in pending.enumerated() {
            for (place, event) in request.validated.events.enumerated() {
                sorted.append((event, Origin(submission: submission, place: place)))
            }
        }
        // The order of arrival decides between equal identities, and sort is stable.
        sorted.sort { Self.precedes($0.event, $1.event) }
        var events: [Event] = []
        var origins: [Origin] = []
        events.reserveCapacity(sorted.count)
        origins.reserveCapacity(sorted.count)
        for (event, origin) in sorted {
            if let last = events.last, !Self.precedes(last, event) {
                self.outcomes[origin.submission].duplicates += 1
            } else {
                events.append(event)
                origins.append(origin)
                self.outcomes[origin.submission].accepted += 1
            }
        }
        self.events = events
        self.origins = origins
    }

    /// What came in refused already.
    package var refusals: [KeptRejection] {
        pending.flatMap { request in
            request.validated.rejections.map {
                KeptRejection(appID: request.appID, receivedAt: request.receivedAt, rejection: $0)
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
    package mutating func refuse(at place: Int, _ code: RejectionCode, _ detail: String) -> KeptRejection {
        let origin = origins[place]
        let request = pending[origin.submission]
        let rejection = request.submission.rejection(
            of: request.validated.positions[origin.place], code, detail)
        outcomes[origin.submission].accepted -= 1
        outcomes[origin.submission].rejections.append(rejection)
        return KeptRejection(appID: request.appID, receivedAt: request.receivedAt, rejection: rejection)
    }

    private static func precedes(_ one: Event, _ other: Event) -> Bool {
        if one.deliveryID != other.deliveryID { return one.deliveryID < other.deliveryID }
        if one.eventID != other.eventID { return one.eventID < other.eventID }
        return one.deviceTime < other.deviceTime
    }
}
