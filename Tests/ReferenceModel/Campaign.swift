/// A declared campaign.
package struct Campaign: Hashable, Sendable {
    package var id: Identifier
    package var goalActions: [Identifier]
    /// The response window.
    package var windowSeconds: Int
    /// The declared conversion window; nil for the response window.
    package var conversionWindowSeconds: Int?
    package var variants: [DeclaredVariant]
    package var plannedDeliveries: Int?
    /// Microseconds since the Unix epoch; nil if none were declared.
    package var goalsDeclaredAt: Int?
    package var weightsDeclaredAt: Int?
    package var minimumEffect: Double?
    /// "The campaign's declared `holdout` share."
    package var holdout: Double?

    package init(
        _ id: Identifier,
        goalActions: [Identifier] = [],
        windowSeconds: Int = Campaign.defaultWindowSeconds,
        variants: [DeclaredVariant] = []
    ) {
        self.id = id
        self.goalActions = goalActions
        self.windowSeconds = windowSeconds
        self.variants = variants
    }

    /// "The campaign's response window (default 72 h)".
    package static let defaultWindowSeconds = 72 * 3600
}

/// A declared variant of a campaign.
package struct DeclaredVariant: Hashable, Sendable {
    package var id: Identifier
    package var weight: Double
    package var isControl: Bool

    package init(_ id: Identifier, weight: Double = 1, isControl: Bool = false) {
        self.id = id
        self.weight = weight
        self.isControl = isControl
    }
}
