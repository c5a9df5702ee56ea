import AfterpushWire

/// Deliveries of a variant by state, as the metrics define the states.
package struct VariantTruth: Sendable, Equatable, Codable {
    package let campaign: String
    package let variant: String
    package private(set) var sent = 0
    package private(set) var failed = 0
    /// With any sign of the delivery on the device.
    package private(set) var delivered = 0
    package private(set) var confirmed = 0
    package private(set) var displayed = 0
    package private(set) var opened = 0
    /// By action identifier, text inputs among them.
    package private(set) var acted: [String: Int] = [:]
    package private(set) var replied = 0
    package private(set) var dismissed = 0
    package private(set) var read = 0
    package private(set) var responded = 0
    /// With a goal action or a `converted` event.
    package private(set) var converted = 0

    init(campaign: String, variant: String) {
        self.campaign = campaign
        self.variant = variant
    }

    /// - Parameter reports: what is known of the delivery, besides its send.
    mutating func count(_ story: DeliveryStory, _ reports: [SimulatedEvent]) {
        if story.send.kind == .sent { sent += 1 } else { failed += 1 }
        guard !reports.isEmpty else { return }
        delivered += 1
        func has(_ kind: EventKind) -> Int { reports.contains { $0.kind == kind } ? 1 : 0 }
        confirmed += has(.delivered)
        displayed += has(.displayed)
        opened += has(.opened)
        replied += has(.textInput)
        dismissed += has(.dismissed)
        read += has(.read)
        let actions = Set(reports.compactMap(\.action))
        for action in actions { acted[action, default: 0] += 1 }
        if reports.contains(where: \.isResponse) { responded += 1 }
        if has(.converted) > 0 || !actions.isDisjoint(with: story.campaign.goals) { converted += 1 }
    }
}
