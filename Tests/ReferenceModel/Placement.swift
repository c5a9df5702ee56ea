/// The properties that deliveries and declared sends share in a base.
struct Placement {
    let dimensions: Dimensions
    /// The hour of the anchor or of the declared send.
    let hour: Int
    let version: CategoryVersion?
    let isClosed: Bool

    init(_ dimensions: Dimensions, hour: Int, declarations: Declarations, asOf: Int) {
        self.dimensions = dimensions
        self.hour = hour
        version = declarations.version(
            category: dimensions.category,
            stated: dimensions.categoryVersion,
            atHour: hour
        )
        isClosed = Self.isClosed(dimensions.campaign, hour: hour, declarations: declarations, asOf: asOf)
    }

    /// "Closed: the whole anchor hour plus the campaign's response window (default 72 h) has passed by `as_of`. A
    /// campaign with declared sends closes as a whole, with its last."
    private static func isClosed(
        _ campaign: Identifier?,
        hour: Int,
        declarations: Declarations,
        asOf: Int
    ) -> Bool {
        let seconds = declarations.campaign(campaign)?.windowSeconds ?? Campaign.defaultWindowSeconds
        let lastDeclared = declarations.declaredSends(of: campaign).map { hourStart($0.sentAt) }.max()
        return (lastDeclared ?? hour) + microsecondsPerHour + seconds * 1_000_000 <= asOf
    }

    /// "Dismiss-observable: on iOS the category version has `customDismissAction`; on Android and the web always;
    /// unknown category or platform never."
    ///
    /// Platforms that the sentence doesn't name are not observable (decision D21).
    var isDismissObservable: Bool {
        switch dimensions.platform?.text {
        case "ios": return version?.hasCustomDismissAction ?? false
        case "android", "web": return true
        default: return false
        }
    }

    func offers(_ action: Identifier) -> Bool {
        version?.offers(action) ?? false
    }

    /// The value for a grouping; nil is the unknown group.
    func value(of grouping: Grouping, in selection: Selection) -> Identifier? {
        switch grouping {
        case .campaign: dimensions.campaign
        case .category: dimensions.category
        case .variant: dimensions.variant
        case .platform: dimensions.platform
        case .day: localDay(ofHour: hour, in: selection.timeZone)
        case .hour: hourText(hour)
        case .app_version: dimensions.appVersion
        }
    }
}
