package import AfterpushWire

/// A campaign as a team declares it.
package struct CampaignDeclaration: Sendable, Equatable {
    package var identifier: String
    package var name: String
    package var category: String?
    package var variants: [Variant] = []
    /// The actions that count as conversions, in addition to those of the category.
    package var goalActions: [String] = []
    /// The time after the hour of the delivery in which responses count.
    package var responseWindow: Duration = .seconds(72 * 3_600)
    /// The time after the anchor of a delivery in which its `converted` events count; the response window if `nil`.
    package var conversionWindow: Duration?
    package var startsAt: Timestamp?
    /// The deliveries of a variant and the control together at which anytime intervals are narrowest.
    package var plannedDeliveries: Int64?
    /// The smallest difference of conversion rates that matters.
    package var minimumEffect: Double?
    /// The share of the devices that are held out by a random choice, between 0 and 1.
    package var holdout: Double?
    /// When the goals last changed, which the collector notes; `nil` if there never were any.
    package var goalsDeclaredAt: Timestamp?
    /// When the variants or their weights last changed, which the collector notes; `nil` if there never were any.
    package var weightsDeclaredAt: Timestamp?
    /// Whether lists omit it. Its deliveries are still counted by the declaration.
    package var isArchived = false

    /// A variant; its share of the deliveries is its weight relative to the other weights.
    package struct Variant: Sendable, Equatable {
        package var identifier: String
        package var weight: Double
        /// Whether the other variants are compared with this one.
        package var isControl: Bool

        package init(identifier: String, weight: Double = 1, isControl: Bool = false) {
            self.identifier = identifier
            self.weight = weight
            self.isControl = isControl
        }
    }

    package init(identifier: String, name: String) {
        self.identifier = identifier
        self.name = name
    }
}
