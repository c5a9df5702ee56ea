/// A campaign as it was declared.
package struct Campaign: Hashable, Sendable {
    package var id: Identifier
    package var goalActions: [Identifier]
    /// The response window.
    package var windowSeconds: Int
    package var variants: [DeclaredVariant]

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
