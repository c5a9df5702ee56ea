/// The limits for an app's names.
///
/// Declared names, undeclared names in verified events and undeclared names in unverified events are counted
/// separately, so the holder of a public ingest key can't use up the names that servers need.
///
/// | property | counts |
/// | --- | --- |
/// | `categories` | categories of an app, including retired ones |
/// | `actions` | different actions in an app's set of categories |
/// | `versions` | versions of a category |
/// | `campaigns` | campaigns of an app, except archived ones |
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

    /// Returns the maximum number of undeclared names of a kind within each parent.
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
