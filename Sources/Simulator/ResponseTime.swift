/// How long people take to respond: log-normal, as their reactions are.
package struct ResponseTime: Sendable {
    package var medianSeconds: Double
    /// Standard deviation of the logarithm.
    package var spread: Double

    package init(medianSeconds: Double = 240, spread: Double = 1.6) {
        self.medianSeconds = medianSeconds
        self.spread = spread
    }
}
