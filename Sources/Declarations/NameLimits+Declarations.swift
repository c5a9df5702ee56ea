package import Events

extension NameLimits {
    /// Refuses a set with more distinct actions than an app's limit.
    package func check(_ set: CategorySet) throws(DeclarationError) {
        let actions = Set(set.categories.flatMap(\.actions).map { Array($0.identifier.utf8) })
        try Self.check(actions.count, self.actions, "actions", of: "an app")
    }

    /// Refuses more categories than an app's limit.
    ///
    /// - Parameter count: the number of the app's categories, including those of the new set.
    package func check(categories count: Int) throws(DeclarationError) {
        try Self.check(count, categories, "categories, retired ones included,", of: "an app")
    }

    package func check(version: Int32) throws(DeclarationError) {
        try Self.check(Int(version), versions, "versions", of: "a category")
    }

    package func check(_ campaign: CampaignDeclaration) throws(DeclarationError) {
        try Self.check(campaign.variants.count, variants, "variants", of: "a campaign")
    }

    /// Refuses more campaigns than an app's limit.
    ///
    /// - Parameter count: the number of the app's campaigns that are not archived, including the new one.
    package func check(campaigns count: Int) throws(DeclarationError) {
        try Self.check(count, campaigns, "campaigns that are not archived", of: "an app")
    }

    private static func check(_ count: Int, _ limit: Int, _ what: String, of owner: String) throws(DeclarationError) {
        guard count > limit else { return }
        throw DeclarationError(
            .entry(.limitExceeded), "\(owner) has at most \(limit) \(what) (limited by the settings)")
    }
}
