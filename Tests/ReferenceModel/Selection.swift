package import Foundation

/// The parameters of a report.
package struct Selection: Sendable {
    package var app: Identifier
    /// Inclusive, microseconds since the Unix epoch.
    package var from: Int?
    /// Exclusive.
    package var to: Int?
    package var timeZone: TimeZone
    package var campaign: Identifier?
    package var category: Identifier?
    package var variant: Identifier?
    package var platform: Identifier?
    package var appVersion: Identifier?
    package var verified = false
    /// At most two; `actions` has fixed groups and ignores it.
    package var by: [Grouping] = []
    package var base = BaseChoice.auto
    /// "`min_n` (default 30)".
    package var minN = 30
    /// "Only responses within h of the anchor of deliveries at least h old", in microseconds.
    package var within: Int?
    /// Microseconds since the Unix epoch.
    package var asOf: Int

    package init(app: Identifier, timeZone: TimeZone, asOf: Int) {
        self.app = app
        self.timeZone = timeZone
        self.asOf = asOf
    }

    /// "`from` (inclusive) and `to` (exclusive) select deliveries by anchor, rounded down to the hour."
    func selects(hour: Int) -> Bool {
        if let from, hour < from { return false }
        if let to, hour >= to { return false }
        return true
    }

    /// The same without `within`.
    var ofAnyAge: Selection {
        var selection = self
        selection.within = nil
        return selection
    }

    /// The same without `within`, up to the last hour that begins at least that long before `asOf` (decision D77).
    var ripeHours: Selection {
        guard let within else { return self }
        var hours = self
        hours.to = min(to ?? .max, asOf - within)
        hours.within = nil
        return hours
    }

    /// Whether the dimensions pass the filters; an unknown dimension passes no filter.
    func selects(_ dimensions: Dimensions) -> Bool {
        if let campaign, dimensions.campaign != campaign { return false }
        if let category, dimensions.category != category { return false }
        if let variant, dimensions.variant != variant { return false }
        if let platform, dimensions.platform != platform { return false }
        if let appVersion, dimensions.appVersion != appVersion { return false }
        return true
    }

    /// "Declared sends are no base by day or hour."
    var groupsByTime: Bool {
        by.contains(.day) || by.contains(.hour)
    }
}

/// The columns by which the rows of `conversion` are grouped.
package enum Grouping: String, CaseIterable, Sendable {
    case campaign
    case category
    case variant
    case platform
    case day
    case hour
    case app_version

    package var column: String {
        switch self {
        case .campaign: "campaign_id"
        case .category: "category_id"
        default: rawValue
        }
    }
}

/// The base of rates that a request asks for.
package enum BaseChoice: String, CaseIterable, Sendable {
    case auto
    case sent
    case confirmed
}

/// The base of rates that a report uses (decision D5).
enum Base: String {
    case sent
    case confirmed
    case none
    /// Only the word of a row over several campaigns: no campaign has this base.
    case mixed
}
