/// The limits on an app's names: declared names, undeclared names in verified events, and undeclared names in unverified
/// events. Each is counted on its own, so the holder of a public ingest key can't use up the names that servers need.
///
/// | property | counts |
/// | --- | --- |
/// | `categories` | categories of an app, retired ones too |
/// | `actions` | different actions of an app's set of categories |
/// | `versions` | versions of a category |
/// | `campaigns` | campaigns of an app, without archived ones |
/// | `variants` | variants of a campaign |
/// | `appVersions` | versions of the app, which are never declared |
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
}
