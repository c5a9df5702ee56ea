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
    /// The number of notifications that each device receives, all of the same variant.
    package var notifications = 1
    /// The share of the devices that are held out by a random choice, instead of receiving it.
    package var holdout = 0.0
    /// What people do afterwards, whether or not they received it.
    package var outcome: PlannedOutcome?

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

/// Something that people do, which a campaign makes more frequent.
package struct PlannedOutcome: Sendable {
    package var name: String
    /// The probability within six days without the campaign.
    package var anyway: Double
    /// What the campaign adds to the probability, if the provider accepted the notification.
    package var added: Double
    /// What it is worth, in hundredths of the currency, every value being as likely; nil if it states no value.
    package var cents: ClosedRange<Int>?
    package var currency = "EUR"

    package init(_ name: String, anyway: Double, added: Double) {
        self.name = name
        self.anyway = anyway
        self.added = added
    }
}
