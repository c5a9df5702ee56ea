package import AfterpushWire

/// A campaign of the plan, and what people do about it.
package struct SimulatedCampaign: Sendable {
    package let id: String
    package let name: String
    package let category: String
    package let variants: [Variant]
    /// When its first notification is sent; the rest follow within six hours.
    package let startsAt: Timestamp
    /// Share of the fleet that gets it.
    package let share: Double
    /// Whether iOS reports a dismissal of its category.
    package let reportsDismissals: Bool

    /// A variant with the probabilities of what people do when they saw it; one thing each at most.
    package struct Variant: Sendable {
        package let id: String
        package let isControl: Bool
        let opens: Double
        let actions: [(id: String, probability: Double)]
        /// Text input: the action, and what people type.
        let reply: (id: String, probability: Double)?
        let dismisses: Double
    }
}
