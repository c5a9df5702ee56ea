/// A variant of a campaign and how people respond to it.
///
/// Each person does at most one of `open`, `actions`, `reply` and `dismiss`, so their probabilities must add up to at
/// most 1.
package struct PlannedVariant: Sendable {
    package var id: String
    package var isControl = false
    package var weight = 1.0
    /// The probability that a device with a service extension or push handler confirms the delivery.
    package var confirm = 0.97
    package var open: Double
    package var actions: [PlannedAction] = []
    package var reply: PlannedReply?
    /// The probability of a dismissal, whether or not the platform reports it.
    package var dismiss = 0.0
    /// The probability that a person who opened the notification causes a read receipt.
    package var read = 0.5
    /// The conversion that may follow an open or a goal action.
    package var conversion: PlannedConversion?
    package var responseTime = ResponseTime()

    package init(id: String, open: Double) {
        self.id = id
        self.open = open
    }
}

/// A button and the probability of a tap on it.
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

/// A text input action, the probability of its use, and what people type. Notifications on the web have no text input.
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

/// A `converted` event that follows a response after some minutes.
package struct PlannedConversion: Sendable {
    package var name: String
    package var probability: Double
    /// The value in hundredths of the currency.
    package var cents: ClosedRange<Int>
    /// The currency, three letters of ISO 4217.
    package var currency: String

    package init(_ name: String, _ probability: Double, cents: ClosedRange<Int>, currency: String) {
        self.name = name
        self.probability = probability
        self.cents = cents
        self.currency = currency
    }
}

/// The log-normal distribution of the time that people take to respond.
package struct ResponseTime: Sendable {
    package var medianSeconds: Double
    /// The standard deviation of the logarithm.
    package var spread: Double

    package init(medianSeconds: Double = 240, spread: Double = 1.6) {
        self.medianSeconds = medianSeconds
        self.spread = spread
    }
}
