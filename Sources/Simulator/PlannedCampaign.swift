package import AfterpushWire

/// A campaign of a plan.
package struct PlannedCampaign: Sendable {
    package var id: String
    package var name: String
    package var category: String
    /// The actions and text inputs that count as conversions, which the category declares as goals.
    package var goals: [String]
    /// Whether the category has `customDismissAction`, without which iOS reports no dismissal.
    package var reportsDismissals: Bool
    package var variants: [PlannedVariant]
    /// The share of the fleet's devices that receive it.
    package var share: Double
    /// The time at which its first notification is sent.
    package var startsAt: Timestamp
    /// The hours over which the sends are spread evenly, more than 0.
    package var hours: Double

    package init(
        id: String, name: String, category: String, goals: [String] = [], reportsDismissals: Bool = false,
        variants: [PlannedVariant], share: Double = 1, startsAt: Timestamp, hours: Double = 1
    ) {
        self.id = id
        self.name = name
        self.category = category
        self.goals = goals
        self.reportsDismissals = reportsDismissals
        self.variants = variants
        self.share = share
        self.startsAt = startsAt
        self.hours = hours
    }
}
