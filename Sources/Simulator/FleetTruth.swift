import AfterpushWire
package import Foundation

/// The facts of a simulated plan, which reports should show.
package struct FleetTruth: Sendable, Equatable, Codable {
    /// The counts that reports show, in the order of the plan: what people did, and what forgers claim without a receipt.
    package private(set) var variants: [VariantTruth]
    /// The counts that reports show with `verified=true`: what people did, if the notifications have receipts.
    package private(set) var verified: [VariantTruth]
    package private(set) var segments: [SegmentTruth]
    package let forged: ForgedTruth
    /// What people did afterwards, for each campaign that has an outcome.
    package private(set) var lifts: [LiftTruth]

    init(_ plan: FleetPlan, _ fleet: SimulatedFleet, _ forgeries: [Forgery], isSigned: Bool) {
        variants = plan.campaigns.flatMap { campaign in
            campaign.variants.map { VariantTruth(campaign: campaign.id, variant: $0.id) }
        }
        verified = variants
        segments = plan.segments.map { SegmentTruth(segment: $0.name) }
        forged = ForgedTruth(forgeries)
        lifts = plan.campaigns.compactMap { LiftTruth($0, fleet) }
        var indices: [[String]: Int] = [:]
        for (index, truth) in variants.enumerated() { indices[[truth.campaign, truth.variant]] = index }
        for delivery in fleet.deliveries {
            guard let index = indices[[delivery.campaign.id, delivery.variant.id]] else { continue }
            variants[index].count(delivery, delivery.reports + delivery.claims)
            verified[index].count(delivery, isSigned ? delivery.reports : [])
        }
        for (variant, sent) in Dictionary(
            grouping: fleet.deliveries.filter { $0.send.kind == .sent }, by: { [$0.campaign.id, $0.variant.id] })
        {
            guard let index = indices[variant] else { continue }
            variants[index].devices = Set(sent.map(\.device.id)).count
            verified[index].devices = variants[index].devices
        }
        for index in segments.indices { segments[index].count(fleet) }
    }

    package func of(_ campaign: String, _ variant: String) -> VariantTruth? {
        variants.first { $0.campaign == campaign && $0.variant == variant }
    }

    package func verified(_ campaign: String, _ variant: String) -> VariantTruth? {
        verified.first { $0.campaign == campaign && $0.variant == variant }
    }
}

/// The number of a variant's deliveries in each state, as the metrics define the states.
package struct VariantTruth: Sendable, Equatable, Codable {
    package let campaign: String
    package let variant: String
    package private(set) var sent = 0
    package private(set) var failed = 0
    /// The deliveries with any event on the device.
    package private(set) var delivered = 0
    package private(set) var confirmed = 0
    package private(set) var displayed = 0
    package private(set) var opened = 0
    /// The deliveries by action identifier, including text inputs.
    package private(set) var acted: [String: Int] = [:]
    package private(set) var replied = 0
    package private(set) var dismissed = 0
    package private(set) var read = 0
    package private(set) var responded = 0
    /// The deliveries with a goal action or a `converted` event.
    package private(set) var converted = 0
    /// The sums of the values of `converted` events, by currency.
    package private(set) var values: [String: Decimal] = [:]
    /// The devices that the notifications were sent to.
    package fileprivate(set) var devices = 0

    init(campaign: String, variant: String) {
        self.campaign = campaign
        self.variant = variant
    }

    /// Counts a delivery.
    ///
    /// - Parameter reports: Its events other than the send.
    mutating func count(_ delivery: SimulatedDelivery, _ reports: [SimulatedEvent]) {
        if delivery.send.kind == .sent { sent += 1 } else { failed += 1 }
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
        if has(.converted) > 0 || !actions.isDisjoint(with: delivery.campaign.goals) { converted += 1 }
        for report in reports {
            guard let value = report.value, let currency = report.conversion?.currency else { continue }
            values[currency, default: 0] += value
        }
    }
}

/// The numbers of a campaign's deliveries that have its outcome, of those that were sent and those that were held out.
package struct LiftTruth: Sendable, Equatable, Codable {
    package let campaign: String
    package let outcome: String
    package let treated: Int
    package let treatedOutcomes: Int
    package let heldOut: Int
    package let heldOutOutcomes: Int
    /// The sums of the values of these outcomes.
    package let treatedValue: Decimal
    package let heldOutValue: Decimal

    init?(_ campaign: PlannedCampaign, _ fleet: SimulatedFleet) {
        guard let outcome = campaign.outcome else { return nil }
        self.campaign = campaign.id
        self.outcome = outcome.name
        let sent = fleet.deliveries.filter { $0.campaign.id == campaign.id }
        let kept = fleet.holdouts.filter { $0.campaign.id == campaign.id }
        treated = sent.count
        treatedOutcomes = sent.count { $0.outcome != nil }
        heldOut = kept.count
        heldOutOutcomes = kept.count { $0.outcome != nil }
        treatedValue = sent.compactMap(\.outcome?.value).reduce(0, +)
        heldOutValue = kept.compactMap(\.outcome?.value).reduce(0, +)
    }
}

/// The number of a segment's devices, and of its deliveries in each state.
package struct SegmentTruth: Sendable, Equatable, Codable {
    package let segment: String
    package private(set) var devices = 0
    package private(set) var sent = 0
    package private(set) var confirmed = 0
    package private(set) var responded = 0

    init(segment: String) {
        self.segment = segment
    }

    mutating func count(_ fleet: SimulatedFleet) {
        devices = fleet.devices.count { $0.segment.name == segment }
        for delivery in fleet.deliveries where delivery.device.segment.name == segment && delivery.send.kind == .sent {
            sent += 1
            if delivery.reports.contains(where: { $0.kind == .delivered }) { confirmed += 1 }
            if delivery.reports.contains(where: \.isResponse) { responded += 1 }
        }
    }
}

/// The number of forged events, by what the collector should do with them.
package struct ForgedTruth: Sendable, Equatable, Codable {
    /// The events that it should reject, by the code of the reason.
    package private(set) var rejected: [String: Int] = [:]
    /// The events that it should store as not verified: they have no receipt, and the app doesn't require one.
    package private(set) var unverified = 0
    /// The events that it should not read, because their key is invalid.
    package private(set) var refused = 0

    init(_ forgeries: [Forgery]) {
        for forgery in forgeries {
            if let reason = forgery.rejection {
                rejected[reason, default: 0] += 1
            } else if forgery.kind == .unsigned {
                unverified += 1
            } else {
                refused += 1
            }
        }
    }
}
