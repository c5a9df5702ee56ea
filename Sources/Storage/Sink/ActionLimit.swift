import AfterpushWire
import Events
import Foundation

/// Limits the number of distinct actions per delivery.
///
/// Asking what a delivery was answered with costs a query, and hardly any delivery is answered more than once. So only
/// deliveries that were seen with an action before, by this collector and lately, are asked about.
struct ActionLimit {
    /// Distinct actions of one delivery.
    static let limit = 32

    /// Where recent deliveries are remembered, by hash: a later one takes the place of an earlier one.
    private var recent: [UUID?] = Array(repeating: nil, count: 1 << 16)

    /// The deliveries of a group that must be asked about; remembers all that are answered with an action.
    mutating func suspects(among events: [Event]) -> [UUID] {
        var suspects: [UUID] = []
        var previous: UUID?
        for event in events where event.kind == .action || event.kind == .textInput {
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

    /// Places of the events that would give a delivery one action too many, given what is stored of some deliveries.
    static func excess(of events: [Event], stored: [UUID: Set<[UInt8]>]) -> [Int] {
        var known = stored
        var places: [Int] = []
        for (place, event) in events.enumerated() {
            guard let action = event.actionIdentifier, var actions = known[event.deliveryID],
                event.kind == .action || event.kind == .textInput
            else { continue }
            // Compare bytes: Swift treats some strings as equal that are different to the database.
            actions.insert(Array(action.utf8))
            if actions.count > limit {
                places.append(place)
            } else {
                known[event.deliveryID] = actions
            }
        }
        return places
    }

    /// A delivery's id is a digest: its last bytes are as good as random.
    private static func slot(of id: UUID) -> Int {
        Int(id.uuid.14) << 8 | Int(id.uuid.15)
    }
}
