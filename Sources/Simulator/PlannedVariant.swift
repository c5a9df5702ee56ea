/// A variant of a campaign, and what people do about it.
///
/// Of `open`, `actions`, `reply` and `dismiss` each person does one thing at most: their probabilities share one roll.
package struct PlannedVariant: Sendable {
    package var id: String
    package var isControl = false
    package var weight = 1.0
    /// Probability that a device with a service extension or push handler confirms what arrived.
    package var confirm = 0.97
    package var open: Double
    package var actions: [PlannedAction] = []
    package var reply: PlannedReply?
    /// Probability of a dismissal, whether or not the platform reports it.
    package var dismiss = 0.0
    /// Probability of a read receipt from whoever opened.
    package var read = 0.5
    /// What those who opened or took a goal action may go on to do.
    package var conversion: PlannedConversion?
    package var responseTime = ResponseTime()

    package init(id: String, open: Double) {
        self.id = id
        self.open = open
    }
}
