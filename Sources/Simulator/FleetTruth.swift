/// What became of each campaign's and variant's deliveries, counted from the plan's dice and not from the requests.
package struct FleetTruth: Sendable, Equatable, Codable {
    /// In the plan's order.
    package private(set) var variants: [VariantTruth]

    init(_ campaigns: [PlannedCampaign]) {
        variants = campaigns.flatMap { campaign in
            campaign.variants.map { VariantTruth(campaign: campaign.id, variant: $0.id) }
        }
    }

    package func of(_ campaign: String, _ variant: String) -> VariantTruth? {
        variants.first { $0.campaign == campaign && $0.variant == variant }
    }

    mutating func count(_ story: DeliveryStory) {
        let index = variants.firstIndex { $0.campaign == story.campaign.id && $0.variant == story.variant.id }
        if let index { variants[index].count(story) }
    }
}
