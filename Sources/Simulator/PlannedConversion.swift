/// A `converted` event that follows a response, some minutes later.
package struct PlannedConversion: Sendable {
    package var name: String
    package var probability: Double
    /// Hundredths of the currency.
    package var cents: ClosedRange<Int>
    /// Three letters of ISO 4217.
    package var currency: String

    package init(_ name: String, _ probability: Double, cents: ClosedRange<Int>, currency: String) {
        self.name = name
        self.probability = probability
        self.cents = cents
        self.currency = currency
    }
}
