import AfterpushWire
import Events
import Foundation

/// Limits the number of distinct actions per delivery that verified events have. Unverified events are not refused: the
/// database counts their actions past the limit together.
///
/// Looking up a delivery's actions costs a query, and few deliveries have more than one action. So only deliveries that
/// this collector recently saw with an action are looked up.
struct ActionLimit {
    /// The maximum number of distinct verified actions per delivery.
    static let limit = 32

    /// The recent deliveries with an action, by hash. A later one replaces an earlier one with the same hash.
    private var recent: [UUID?] = Array(repeating: nil, count: 1 << 16)

    /// Remembers the deliveries of a group that have a verified action, and returns those whose actions must be looked
    /// up.
    mutating func recordDeliveries(of events: [Event]) -> [UUID] {
        var suspects: [UUID] = []
        var previous: UUID?
        for event in events where event.isVerifiedAction {
            let delivery = event.deliveryID
            let slot = Self.slot(of: delivery) & (recent.count - 1)
            if recent[slot] == delivery || previous == delivery {
                if suspects.last != delivery { suspects.append(delivery) }
            }
            recent[slot] = delivery
            previous = delivery
        }
        return suspects
    }

    /// Returns the indices of the events whose actions exceed the limit, given the stored actions of some deliveries.
    static func excess(of events: [Event], stored: [UUID: Set<[UInt8]>]) -> [Int] {
        var known = stored
        var places: [Int] = []
        for (place, event) in events.enumerated() {
            guard event.isVerifiedAction, let action = event.actionIdentifier, var actions = known[event.deliveryID]
            else { continue }
            // Bytes are compared, because Swift treats some strings as equal that are different in the database.
            actions.insert(Array(action.utf8))
            if actions.count > limit {
                places.append(place)
            } else {
                known[event.deliveryID] = actions
            }
        }
        return places
    }

    /// Returns the hash of a delivery: the last bytes of its id, which is a digest and so uniformly distributed.
    private static func slot(of id: UUID) -> Int {
        Int(id.uuid.14) << 8 | Int(id.uuid.15)
    }
}

extension Event {
    fileprivate var isVerifiedAction: Bool {
        verified && (kind == .action || kind == .textInput)
    }
}
