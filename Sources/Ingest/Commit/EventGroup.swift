package import AfterpushWire
package import Events
import Foundation

/// A group of requests whose events are stored in one transaction: each identity once, sorted by key.
///
/// Every writer sorts by the same key, so that two of them never deadlock.
package struct EventGroup: Sendable {
    /// The events sorted by delivery, event and device time; each identity appears once.
    package let events: [Event]
    /// The request of each of `events`.
    package let origins: [Origin]
    /// The counts of repeated events in the group, by app.
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
        let sorted = Self.sorted(pending)
        var events: [Event] = []
        var origins: [Origin] = []
        events.reserveCapacity(sorted.count)
        origins.reserveCapacity(sorted.count)
        var last: SortKey?
        // The content of the last event, once a copy was compared with it.
        var content: EventContent?
        for key in sorted {
            if let first = last, !first.precedes(key) {
                self.repeats[key.event.appID, default: EventRepeats()].duplicates += 1
                if key.event.verified, !first.event.verified {
                    events[events.count - 1] = key.event
                    origins[origins.count - 1] = key.origin
                    self.outcomes[first.origin.submission].accepted -= 1
                    self.outcomes[first.origin.submission].duplicates += 1
                    self.outcomes[key.origin.submission].accepted += 1
                    last = key
                    content = nil
                    continue
                }
                self.outcomes[key.origin.submission].duplicates += 1
                let known = content ?? EventContent(of: first.event)
                content = known
                if !known.isEqual(to: key.event) {
                    self.repeats[key.event.appID, default: EventRepeats()].conflicts += 1
                }
            } else {
                events.append(key.event)
                origins.append(key.origin)
                self.outcomes[key.origin.submission].accepted += 1
                last = key
                content = nil
            }
        }
        self.events = events
        self.origins = origins
    }

    /// The events of some requests, sorted.
    ///
    /// The order of arrival decides between equal identities, and sort is stable. A verified event replaces an
    /// unverified one.
    private static func sorted(_ pending: [PendingSubmission]) -> [SortKey] {
        var sorted: [SortKey] = []
        sorted.reserveCapacity(pending.reduce(0) { $0 + $1.validated.events.count })
        for (submission, request) in pending.enumerated() {
            for (place, event) in request.validated.events.enumerated() {
                sorted.append(SortKey(event, Origin(submission: submission, place: place)))
            }
        }
        sorted.sort { $0.precedes($1) }
        return sorted
    }

    /// The position in the suppression list up to which all of the group's events were compared with it.
    package var listPosition: Int64 { pending.lazy.map(\.listPosition).min() ?? 0 }

    /// The events that validation rejected.
    package var refusals: [StoredRejection] {
        pending.flatMap { request in
            request.validated.rejections.map {
                StoredRejection(appID: request.appID, receivedAt: request.receivedAt, rejection: $0)
            }
        }
    }

    /// The outcome of each request, in their order.
    package var results: [SubmissionOutcome] {
        outcomes.map { outcome in
            var outcome = outcome
            outcome.rejections.sort { $0.index < $1.index }
            return outcome
        }
    }

    /// Counts an event, given by its index in `events`, as stored before.
    package mutating func markDuplicate(at place: Int) {
        let submission = origins[place].submission
        outcomes[submission].accepted -= 1
        outcomes[submission].duplicates += 1
    }

    /// Counts an event, given by its index in `events`, as rejected, and returns the rejection to store.
    package mutating func refuse(at place: Int, _ code: RejectionCode, _ detail: String) -> StoredRejection {
        let origin = origins[place]
        let request = pending[origin.submission]
        let rejection = request.submission.rejection(
            of: request.validated.positions[origin.place], code, detail)
        outcomes[origin.submission].accepted -= 1
        outcomes[origin.submission].rejections.append(rejection)
        return StoredRejection(appID: request.appID, receivedAt: request.receivedAt, rejection: rejection)
    }

    /// An event with its delivery as numbers: they decide nearly every comparison.
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

/// The counts of one app's events that appear more than once in a group; only the first verified one of each, or the
/// first one, is stored.
package struct EventRepeats: Sendable, Equatable {
    package internal(set) var duplicates: Int32 = 0
    /// The number of other duplicates whose content differs from the first event; a verified event that replaces an
    /// unverified one is not among them.
    package internal(set) var conflicts: Int32 = 0

    package init() {}
}

/// A rejection as `rejected_events` stores it.
package struct StoredRejection: Sendable {
    package let appID: Int32
    package let receivedAt: Timestamp
    package let rejection: Rejection

    /// Returns the rejection without what must not be kept of a list's devices.
    package func searched(for list: SuppressionList) -> StoredRejection {
        StoredRejection(appID: appID, receivedAt: receivedAt, rejection: rejection.searched(for: list, app: appID))
    }
}
