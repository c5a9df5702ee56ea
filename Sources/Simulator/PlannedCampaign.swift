package import AfterpushWire

/// A campaign of the plan: what is sent, to how many, and when.
package struct PlannedCampaign: Sendable {
    package var id: String
    package var name: String
    package var category: String
    /// Actions and text inputs that convert: those that the category declares as goals.
    package var goals: [String]
    /// Whether the category has `customDismissAction`, without which iOS reports no dismissal.
    package var reportsDismissals: Bool
    package var variants: [PlannedVariant]
    /// Share of the fleet's devices that get it.
    package var share: Double
    /// When its first notification is sent.
    package var startsAt: Timestamp
    /// Hours over which the sends are spread evenly, above 0.
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
