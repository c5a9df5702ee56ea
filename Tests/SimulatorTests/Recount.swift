import AfterpushWire

@testable import Simulator

/// The deliveries of each variant by state, counted from the events only.
struct Recount {
    private var counts: [[String]: [String: Int]] = [:]

    init(_ traffic: FleetTraffic, _ plan: FleetPlan) {
        let goals = Dictionary(uniqueKeysWithValues: plan.campaigns.map { ($0.id, $0.goals) })
        let events = Set(Sample.corrected(traffic)).filter { $0.notificationID != nil }
        for delivery in Dictionary(grouping: events, by: { [$0.notificationID, $0.deviceID] }).values {
            guard let campaign = delivery[0].campaignID, let variant = delivery[0].variant else { continue }
            for state in Self.states(delivery, goals: goals[campaign] ?? []) {
                counts[[campaign, variant], default: [:]][state, default: 0] += 1
            }
        }
    }

    func of(_ truth: VariantTruth) -> [String: Int] {
        counts[[truth.campaign, truth.variant]] ?? [:]
    }

    private static func states(_ delivery: [IngestEvent], goals: [String]) -> Set<String> {
        var states = Set(delivery.compactMap(\.kind?.rawValue))
        if states.remove("delivered") != nil { states.insert("confirmed") }
        let signs: Set = ["confirmed", "displayed", "read", "opened", "action", "text_input", "dismissed"]
        if !states.isDisjoint(with: signs.union(["attachment_failed"])) { states.insert("delivered") }
        if !states.isDisjoint(with: ["opened", "action", "text_input", "dismissed"]) { states.insert("responded") }
        for event in delivery where event.kind == .action || event.kind == .textInput {
            guard let action = event.actionIdentifier else { continue }
            states.insert("acted " + action)
            if goals.contains(action) { states.insert("converted") }
        }
        return states.subtracting(["action", "attachment_failed"])
    }
}

extension VariantTruth {
    /// The counts above zero, named as in `Recount`.
    var counts: [String: Int] {
        var counts = [
            "sent": sent, "failed": failed, "delivered": delivered, "confirmed": confirmed, "displayed": displayed,
            "opened": opened, "text_input": replied, "dismissed": dismissed, "read": read, "responded": responded,
            "converted": converted,
        ]
        for (action, count) in acted { counts["acted " + action] = count }
        return counts.filter { $0.value > 0 }
    }
}
