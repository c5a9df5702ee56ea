/// A text input action, how often it is used, and what people type. Notifications on the web have no text field.
package struct PlannedReply: Sendable {
    package var action: String
    package var probability: Double
    package var texts: [String]

    package init(_ action: String, _ probability: Double, texts: [String]) {
        self.action = action
        self.probability = probability
        self.texts = texts
    }
}
