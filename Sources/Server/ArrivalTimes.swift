import AfterpushWire
import Dialects
import Events
import Foundation
import Ingest
import Synchronization

/// Gives events that state no time of their own the time at which they arrived first.
///
/// The time is part of an event's identity, so a repeated request would otherwise be other events. The first arrival is
/// found in memory, which is bounded, and else in the database. While the database is unavailable, only the collector
/// at which an event arrived first knows it.
final class ArrivalTimes: Sendable {
    private struct Generations {
        var current: [UUID: Timestamp] = [:]
        var previous: [UUID: Timestamp] = [:]

        func time(of event: TimelessEvent) -> Timestamp? {
            guard let time = current[event.claimID] ?? previous[event.claimID], time >= event.since else { return nil }
            return time
        }
    }

    /// An event of a submission whose first arrival isn't in memory.
    struct Unknown: Sendable {
        /// The position in the submission.
        fileprivate let index: Int
        fileprivate let event: TimelessEvent
    }

    private static let limit = 50_000
    private let generations = Mutex(Generations())
    private let store: any ArrivalStore

    init(store: any ArrivalStore) {
        self.store = store
    }

    /// Gives the events of a submission that state no time those of their first arrival, as far as they are in memory.
    ///
    /// It takes time in proportion to the length of the submission.
    ///
    /// - Returns: The other events, whose times `keepFirst` sets.
    func keepKnown(
        of submission: inout DialectSubmission, _ family: DialectFamily, _ grant: APIKeyGrant, _ receivedAt: Timestamp
    ) -> [Unknown] {
        let arrival = receivedAt.description
        var unknown: [Unknown] = []
        for (index, event) in submission.events.enumerated() {
            let timeless = TimelessEvent(
                event, sentAt: submission.sentAt, family, grant.eventIDKey, app: grant.appID,
                isOfServer: grant.scope.allows(.send), receivedAt: receivedAt, arrival: arrival)
            guard let timeless else { continue }
            if timeless.isOfContent { submission.events[index].set(.eventID, timeless.id.uuidString.lowercased()) }
            if let first = time(of: timeless) {
                submission.events[index].set(.occurredAt, first.description)
            } else {
                unknown.append(Unknown(index: index, event: timeless))
            }
        }
        return unknown
    }

    /// Gives events that state no time, and are not in memory, those of their first arrival.
    func keepFirst(of unknown: [Unknown], in submission: inout DialectSubmission, app: Int32) async {
        guard !unknown.isEmpty else { return }
        let stored = (try? await store.times(of: unknown.map(\.event), app: app)) ?? [:]
        for arrival in unknown {
            let event = arrival.event
            let first = insert(event, stored[event.claimID] ?? event.time)
            submission.events[arrival.index].set(.occurredAt, first.description)
        }
    }

    /// Returns when an event arrived first, or `nil` if that isn't in memory.
    private func time(of event: TimelessEvent) -> Timestamp? {
        generations.withLock { $0.time(of: event) }
    }

    /// Remembers when an event arrived first, and returns it; a request at the same time may have been faster.
    private func insert(_ event: TimelessEvent, _ time: Timestamp) -> Timestamp {
        generations.withLock { generations in
            if let known = generations.time(of: event) { return known }
            if generations.current.count >= Self.limit {
                generations.previous = generations.current
                generations.current = [:]
            }
            generations.current[event.claimID] = time
            return time
        }
    }
}
