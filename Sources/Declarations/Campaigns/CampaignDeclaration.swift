package import AfterpushWire

/// A campaign as a team declares it.
package struct CampaignDeclaration: Sendable, Equatable {
    package var identifier: String
    package var name: String
    package var category: String?
    package var variants: [Variant] = []
    /// Actions that are conversions, besides those of the category.
    package var goalActions: [String] = []
    /// How long a delivery is open for a response, after its hour.
    package var responseWindow: Duration = .seconds(72 * 3_600)
    package var startsAt: Timestamp?
    /// Out of the lists, and still what its deliveries are counted by.
    package var isArchived = false

    /// A variant with its share of the deliveries, relative to the other weights.
    package struct Variant: Sendable, Equatable {
        package var identifier: String
        package var weight: Double
        /// The others are compared with it.
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
