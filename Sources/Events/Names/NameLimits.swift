/// The limits for an app's names.
///
/// Declared names, and undeclared names of each `NameSource`, are counted separately. So the holder of a public ingest
/// key can't use up the names that devices with receipts need, and those can't use up the names that servers need.
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

    /// The limits of undeclared names that a receipt or the server vouches for, as a multiple of the others. They stop
    /// only a server that makes up names without end, and whoever has stolen one of its keys.
    private static let vouchedFactor = 10

    /// Returns the maximum number of undeclared names of a kind from a source within each parent.
    package func quota(of kind: NameKind, from source: NameSource) -> Int {
        let limit =
            switch kind {
            case .campaign: campaigns
            case .variant: variants
            case .category: categories
            case .categoryVersion: versions
            case .action: actions
            case .appVersion: appVersions
            }
        if source == .unverified { return limit }
        let (product, overflow) = limit.multipliedReportingOverflow(by: Self.vouchedFactor)
        return overflow ? .max : product
    }
}
