/// How many names an app may have: declared ones, and, each for itself, undeclared ones that servers vouch for and that
/// nobody does. So whoever has the public key of an app's devices can't use up what its server needs.
///
/// | property | counts |
/// | --- | --- |
/// | `categories` | categories of an app, retired ones too |
/// | `actions` | different actions of an app's set of categories |
/// | `versions` | versions of a category |
/// | `campaigns` | campaigns of an app, without archived ones |
/// | `variants` | variants of a campaign |
/// | `appVersions` | versions of the app, which nobody declares |
package struct NameLimits: Sendable, Equatable {
    package var categories = 1_000
    package var actions = 2_000
    package var versions = 1_000
    package var campaigns = 5_000
    package var variants = 100
    package var appVersions = 2_000

    package init() {}

    /// How many undeclared names of a kind there may be, below each parent.
    package func quota(of kind: NameKind) -> Int {
        switch kind {
        case .campaign: campaigns
        case .variant: variants
        case .category: categories
        case .categoryVersion: versions
        case .action: actions
        case .appVersion: appVersions
        }
    }

    /// Refuses a set with more different actions than an app may have.
    package func check(_ set: CategorySet) throws(DeclarationError) {
        let actions = Set(set.categories.flatMap(\.actions).map { Array($0.identifier.utf8) })
        try Self.check(actions.count, self.actions, "actions", of: "an app")
    }

    /// - Parameter count: of the app's categories once the set is put.
    package func check(categories count: Int) throws(DeclarationError) {
        try Self.check(count, categories, "categories, retired ones included,", of: "an app")
    }

    package func check(version: Int32) throws(DeclarationError) {
        try Self.check(Int(version), versions, "versions", of: "a category")
    }

    package func check(_ campaign: CampaignDeclaration) throws(DeclarationError) {
        try Self.check(campaign.variants.count, variants, "variants", of: "a campaign")
    }

    /// - Parameter count: of the app's campaigns that are not archived, once this one is put.
    package func check(campaigns count: Int) throws(DeclarationError) {
        try Self.check(count, campaigns, "campaigns that are not archived", of: "an app")
    }

    private static func check(_ count: Int, _ limit: Int, _ what: String, of owner: String) throws(DeclarationError) {
        guard count > limit else { return }
        throw DeclarationError(.entry(.limitExceeded), "\(owner) has at most \(limit) \(what) by the settings")
    }
}
