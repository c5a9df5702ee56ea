/// A button, and how often it is tapped.
package struct PlannedAction: Sendable {
    package var id: String
    package var probability: Double
    /// Whether a tap brings the app to the foreground.
    package var opensApp: Bool

    package init(_ id: String, _ probability: Double, opensApp: Bool = false) {
        self.id = id
        self.probability = probability
        self.opensApp = opensApp
    }
}
