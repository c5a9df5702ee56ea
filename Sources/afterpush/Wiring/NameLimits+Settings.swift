import Events

/// The settings of the limits for names.
///
/// | key | environment | property |
/// | --- | --- | --- |
/// | `limits.categories`, `limits.actions` | `AFTERPUSH_LIMITS_CATEGORIES`... | `categories`, `actions` |
/// | `limits.versions` | `AFTERPUSH_LIMITS_VERSIONS` | `versions` |
/// | `limits.campaigns`, `limits.variants` | `AFTERPUSH_LIMITS_CAMPAIGNS`... | `campaigns`, `variants` |
/// | `limits.app.versions` | `AFTERPUSH_LIMITS_APP_VERSIONS` | `appVersions` |
extension NameLimits {
    /// Returns the defaults, overridden by the settings.
    init(_ source: SettingsSource) throws {
        self.init()
        categories = try source.count("limits.categories", atLeast: 1) ?? categories
        actions = try source.count("limits.actions", atLeast: 1) ?? actions
        versions = try source.count("limits.versions", atLeast: 1) ?? versions
        campaigns = try source.count("limits.campaigns", atLeast: 1) ?? campaigns
        variants = try source.count("limits.variants", atLeast: 1) ?? variants
        appVersions = try source.count("limits.app.versions", atLeast: 1) ?? appVersions
    }
}
