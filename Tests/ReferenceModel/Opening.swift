/// An `app_opened` that a report selects.
struct Opening {
    let device: Identifier
    /// Microseconds since the Unix epoch.
    let at: Int
    private let platform: Identifier?
    private let appVersion: Identifier?

    private init(_ event: ModelEvent) {
        device = event.deviceID
        at = event.occurredAt
        platform = event.platform
        appVersion = event.appVersion
    }

    /// By the hour and platform of the openings themselves (decision D58).
    static func all(in events: [ModelEvent], _ selection: Selection) -> [Opening] {
        var stored: Set<EventIdentity> = []
        return events.filter { event in
            guard event.app == selection.app, stored.insert(EventIdentity(event)).inserted else { return false }
            guard event.kind == .app_opened, selection.selects(hour: hourStart(event.occurredAt)) else { return false }
            if let platform = selection.platform, event.platform != platform { return false }
            return !selection.verified || event.verified
        }.map(Opening.init)
    }

    /// Where it counts: campaign, category and variant are those of the notification that it is credited to (decision D58).
    func key(crediting cause: SelectedDelivery?, _ selection: Selection) -> [Identifier?] {
        let dimensions = cause?.placement.dimensions
        return selection.by.map { grouping in
            switch grouping {
            case .campaign: dimensions?.campaign
            case .category: dimensions?.category
            case .variant: dimensions?.variant
            case .platform: platform
            case .day: localDay(ofHour: hourStart(at), in: selection.timeZone)
            case .hour: hourText(hourStart(at))
            case .app_version: appVersion
            }
        }
    }
}

extension Selection {
    /// Filters on campaign, category and variant hold against the notification that an opening is credited to.
    func selects(crediting cause: SelectedDelivery?) -> Bool {
        let dimensions = cause?.placement.dimensions
        if let campaign, dimensions?.campaign != campaign { return false }
        if let category, dimensions?.category != category { return false }
        if let variant, dimensions?.variant != variant { return false }
        return true
    }
}
