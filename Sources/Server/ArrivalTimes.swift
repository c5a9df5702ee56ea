import AfterpushWire
import Foundation
import Synchronization

/// Remembers when events arrived first that state no time of their own.
///
/// Their time is that of their arrival, so a repeated request would have another one, and count as another event. The
/// memory is bounded and belongs to one collector: an event that is repeated much later, or to another collector, counts
/// twice in numbers of events, though not in those of deliveries.
final class ArrivalTimes: Sendable {
    private struct Generations {
        var current: [UUID: Timestamp] = [:]
        var previous: [UUID: Timestamp] = [:]
    }

    private static let limit = 50_000
    private let generations = Mutex(Generations())

    /// Returns when an event arrived first.
    func first(_ event: UUID, at receivedAt: Timestamp) -> Timestamp {
        generations.withLock { generations in
            if let known = generations.current[event] ?? generations.previous[event] { return known }
            if generations.current.count >= Self.limit {
                generations.previous = generations.current
                generations.current = [:]
            }
            generations.current[event] = receivedAt
            return receivedAt
        }
    }
}
