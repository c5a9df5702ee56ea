package import Events

extension NameLimits {
    /// The most bytes of a set of categories in all versions that it makes. Each `min_app_version` of an action makes a
    /// version that repeats the actions of older ones, so a short document could make millions of rows.
    private static let setBytes = 8 << 20

    /// Refuses a set with more distinct actions than an app's limit, or whose versions are too large.
    package func check(_ set: CategorySet) throws(DeclarationError) {
        guard set.categories.reduce(0, { $0 + $1.bytesOfTiers }) <= Self.setBytes else {
            throw DeclarationError(
                .entry(.limitExceeded),
                "the versions of all categories together are larger than \(Self.setBytes) bytes; each min_app_version of "
                    + "an action makes a version of its category")
        }
        try check(actions: Set(set.categories.flatMap(\.actions).map { Array($0.identifier.utf8) }).count)
    }

    /// Refuses more actions than an app's limit.
    func check(actions count: Int) throws(DeclarationError) {
        try Self.check(count, actions, "actions", of: "an app")
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
