/// "The Wilson score interval at 95 %" of a proportion.
package struct Wilson: Sendable {
    package let low: Double
    package let high: Double

    /// Expects `0 <= numerator <= denominator` and `denominator > 0`.
    package init(_ numerator: Int, of denominator: Int) {
        let z = 1.959963984540054
        let n = Double(denominator)
        let p = Double(numerator) / n
        let centre = p + z * z / (2 * n)
        let margin = z * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
        let scale = 1 + z * z / n
        // In exact arithmetic the ends of 0/n and n/n are 0 and 1; rounding must not lead past them.
        low = max(0, (centre - margin) / scale)
        high = min(1, (centre + margin) / scale)
    }
}
