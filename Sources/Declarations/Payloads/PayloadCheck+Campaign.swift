import Events

extension PayloadCheck {
    mutating func checkCampaign() {
        guard let name = names.campaign else {
            note(.campaignMissing, "it names no campaign, so its deliveries count under an unknown campaign")
            return
        }
        guard let campaign = context.campaign else {
            note(.campaignUnknown, "the campaign '\(name)' is not declared; its deliveries are counted nevertheless")
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
                note(.variantMissing, "it names no variant; the campaign declares \(known.joined(separator: ", "))")
            }
            return
        }
        if known.contains(where: variant.isSame) {
            note(.variantKnown, "the variant '\(variant)'")
        } else {
            note(.variantUnknown, "the variant '\(variant)' is not one that the campaign declares")
        }
    }
}
