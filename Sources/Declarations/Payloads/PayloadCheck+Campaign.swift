import Events

extension PayloadCheck {
    mutating func checkCampaign() {
        guard let name = names.campaign else {
            note(.campaignMissing, "it names no campaign: its deliveries count in the group of unknown campaigns")
            return
        }
        guard let campaign = facts.campaign else {
            note(.campaignUnknown, "the campaign '\(name)' is not declared; it is counted all the same")
            return
        }
        if campaign.isArchived {
            note(.campaignArchived, "the campaign '\(name)' is archived")
        } else {
            note(.campaignKnown, "the campaign '\(name)'")
        }
        if let expected = campaign.category, !expected.isSame(as: names.category) {
            note(.campaignCategoryDiffers, "the campaign is declared with the category '\(expected)'")
        }
        checkVariant(of: campaign)
    }

    private mutating func checkVariant(of campaign: CampaignDeclaration) {
        let known = campaign.variants.map(\.identifier)
        guard let variant = names.variant else {
            if !known.isEmpty {
                note(.variantMissing, "it names none of the variants \(known.joined(separator: ", "))")
            }
            return
        }
        if known.contains(where: variant.isSame) {
            note(.variantKnown, "the variant '\(variant)'")
        } else {
            note(.variantUnknown, "the variant '\(variant)' is none that the campaign declares")
        }
    }
}
