/// What really happened: what reports should find.
package struct FleetTruth: Sendable, Equatable, Codable {
    /// What reports say, in the plan's order: what people did, and what forgers claim without a receipt.
    package private(set) var variants: [VariantTruth]
    /// What they say with `verified=true`: what people did, if the notifications have receipts.
    package private(set) var verified: [VariantTruth]
    package private(set) var segments: [SegmentTruth]
    package let forged: ForgedTruth

    init(_ plan: FleetPlan, _ fleet: FleetDraft, _ forgeries: [Forgery], isSigned: Bool) {
        variants = plan.campaigns.flatMap { campaign in
            campaign.variants.map { VariantTruth(campaign: campaign.id, variant: $0.id) }
        }
        verified = variants
        segments = plan.segments.map { SegmentTruth(segment: $0.name) }
        forged = ForgedTruth(forgeries)
        var places: [[String]: Int] = [:]
        for (place, truth) in variants.enumerated() { places[[truth.campaign, truth.variant]] = place }
        for story in fleet.stories {
            guard let place = places[[story.campaign.id, story.variant.id]] else { continue }
            variants[place].count(story, story.reports + story.claims)
            verified[place].count(story, isSigned ? story.reports : [])
        }
        for place in segments.indices { segments[place].count(fleet) }
    }

    package func of(_ campaign: String, _ variant: String) -> VariantTruth? {
        variants.first { $0.campaign == campaign && $0.variant == variant }
    }

    package func verified(_ campaign: String, _ variant: String) -> VariantTruth? {
        verified.first { $0.campaign == campaign && $0.variant == variant }
    }
}
