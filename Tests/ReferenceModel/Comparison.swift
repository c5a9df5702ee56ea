import Foundation

/// A comparison of two proportions.
package struct Comparison: Sendable {
    package let difference: Double
    /// Newcombe's hybrid score interval at 95 %.
    package let low: Double
    package let high: Double
    /// The p value of the two-sided, pooled two-proportion test.
    package let p: Double
    /// "Deliveries per variant for 80 % power at 5 % for the difference seen"; nil without one.
    package let needed: Int?

    /// Expects `0 <= numerator <= denominator` and `denominator > 0` for both proportions.
    package init(_ numerator: Int, of denominator: Int, against control: Int, of controlDenominator: Int) {
        let (n, m) = (Double(denominator), Double(controlDenominator))
        let (p1, p0) = (Double(numerator) / n, Double(control) / m)
        let isEqual = numerator * controlDenominator == control * denominator
        difference = isEqual ? 0 : p1 - p0
        let (own, other) = (Wilson(numerator, of: denominator), Wilson(control, of: controlDenominator))
        low = difference - hypot(p1 - own.low, other.high - p0)
        high = difference + hypot(own.high - p1, p0 - other.low)
        let pooled = Double(numerator + control) / (n + m)
        let error = (pooled * (1 - pooled) * (1 / n + 1 / m)).squareRoot()
        // If all or none converted, or if the rates are equal, there is no evidence against equality.
        p = isEqual || error == 0 ? 1 : erfc(abs(difference) / error / 2.0.squareRoot())
        let (alpha, power) = (1.959963984540054, 0.8416212335729143)
        let mean = (p1 + p0) / 2
        let spread =
            alpha * (2 * mean * (1 - mean)).squareRoot() + power * (p1 * (1 - p1) + p0 * (1 - p0)).squareRoot()
        needed = isEqual ? nil : Int((spread * spread / (difference * difference)).rounded(.up))
    }
}

/// The p values adjusted by Holm's method, in the given order: of m tests the smallest times m, the next times m - 1
/// and so on, never less than the previous one and at most 1. A nil element is not a test.
package func holm(_ values: [Double?]) -> [Double?] {
    let tests = values.indices.filter { values[$0] != nil }.sorted { (values[$0] ?? 0) < (values[$1] ?? 0) }
    var adjusted: [Double?] = values.map { _ in nil }
    var largest = 0.0
    for (rank, index) in tests.enumerated() {
        largest = max(largest, min(1, Double(tests.count - rank) * (values[index] ?? 1)))
        adjusted[index] = largest
    }
    return adjusted
}

/// The probability of a chi-square statistic at least that large, by the finite sums for integer degrees of freedom
/// (M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 26.4.4 and 26.4.5).
package func chiSquareSurvival(_ statistic: Double, degrees: Int) -> Double {
    let half = statistic / 2
    var sum = degrees % 2 == 0 ? exp(-half) : erfc(half.squareRoot())
    var term = degrees % 2 == 0 ? exp(-half) : exp(-half) * (half / Double.pi).squareRoot() * 2
    var exponent = degrees % 2 == 0 ? 1.0 : 1.5
    var index = degrees % 2 == 0 ? 2 : 1
    while index < degrees {
        if degrees % 2 == 0 {
            term *= half / exponent
            sum += term
        } else {
            sum += term
            term *= half / exponent
        }
        exponent += 1
        index += 2
    }
    return sum
}
