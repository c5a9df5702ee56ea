import Foundation

/// A comparison of two proportions that holds at every look: the asymptotic confidence sequence with Robbins' normal
/// mixture.
struct AnytimeComparison {
    let low: Double
    let high: Double
    let p: Double

    /// - Parameters:
    ///   - planned: "the campaign's `planned_deliveries`, else 10,000".
    ///   - comparisons: "the number of variants compared".
    init(_ own: ClusteredRate, _ control: ClusteredRate, planned: Int?, comparisons: Int) {
        let alpha = 0.05 / Double(comparisons)
        let n = own.n + control.n
        let d = own.rate - control.rate
        // "Its variances from (x + 1) / (n + 2)."
        let (p1, p0) = ((own.x + 1) / (own.n + 2), (control.x + 1) / (control.n + 2))
        let s2 = n * (p1 * (1 - p1) / own.n + p0 * (1 - p0) / control.n)
        let r2 = (-2 * log(alpha) + log(1 - 2 * log(alpha))) / Double(planned ?? 10_000)
        let half =
            s2.squareRoot()
            * (2 * (n * r2 + 1) / (n * n * r2) * log((n * r2 + 1).squareRoot() / alpha)).squareRoot()
        low = d - half
        high = d + half
        p = min(
            1, Double(comparisons) * (n * r2 + 1).squareRoot() * exp(-n * n * r2 * d * d / (2 * s2 * (n * r2 + 1))))
    }
}

/// A rate of clustered deliveries: "intervals, tests, the anytime columns and the sample ratio use n divided by" the
/// design effect.
struct ClusteredRate {
    let x: Double
    let n: Double
    var rate: Double { x / n }

    init(_ numerator: Int, of denominator: Int, designEffect: Double) {
        x = Double(numerator) / designEffect
        n = Double(denominator) / designEffect
    }

    /// The Wilson score interval.
    var interval: (low: Double, high: Double) {
        let z = 1.959963984540054
        let centre = rate + z * z / (2 * n)
        let margin = z * max(0, rate * (1 - rate) / n + z * z / (4 * n * n)).squareRoot()
        let scale = 1 + z * z / n
        return (max(0, (centre - margin) / scale), min(1, (centre + margin) / scale))
    }
}

/// "The sequential multinomial test of Lindon and Malek with a uniform Dirichlet prior scaled to the declared weights":
/// one over the Bayes factor, at most 1.
func sampleRatioAnytime(_ counts: [Double], _ weights: [Double]) -> Double {
    let (total, variants) = (counts.reduce(0, +), Double(counts.count))
    var logarithm = logGamma(variants) - logGamma(variants + total)
    for (count, weight) in zip(counts, weights) {
        let share = weight / weights.reduce(0, +)
        logarithm += logGamma(variants * share + count) - logGamma(variants * share) - count * log(share)
    }
    return min(1, exp(-logarithm))
}

private func logGamma(_ x: Double) -> Double {
    var sign: Int32 = 0
    return lgamma_r(x, &sign)
}

/// "The smallest difference that the deliveries so far can show with 80 % power": an increase over the control's rate,
/// by the formula of `n_needed`; nil if no difference can be shown.
func detectableEffect(_ own: ClusteredRate, over control: ClusteredRate) -> Double? {
    func isShown(_ difference: Double) -> Bool {
        let (p0, p1) = (control.rate, control.rate + difference)
        let pooled = (own.n * p1 + control.n * p0) / (own.n + control.n)
        let null = (pooled * (1 - pooled) * (1 / own.n + 1 / control.n)).squareRoot()
        let other = max(0, p1 * (1 - p1) / own.n + p0 * (1 - p0) / control.n).squareRoot()
        return difference >= 1.959963984540054 * null + 0.8416212335729143 * other
    }
    var (low, high) = (0.0, 1 - control.rate)
    guard high > 0, isShown(high) else { return nil }
    for _ in 0..<200 {
        let middle = (low + high) / 2
        if isShown(middle) { high = middle } else { low = middle }
    }
    return high
}

/// "`n_needed` is for the campaign's declared `minimum_effect`": independent deliveries per variant, times the design
/// effect of both variants together.
func deliveriesNeeded(
    minimumEffect: Double, _ own: (n: Int, ClusteredRate), _ control: (n: Int, ClusteredRate)
) -> Int? {
    let (p0, p1) = (control.1.rate, control.1.rate + minimumEffect)
    guard p1 <= 1 else { return nil }
    let mean = (p1 + p0) / 2
    let spread =
        1.959963984540054 * (2 * mean * (1 - mean)).squareRoot()
        + 0.8416212335729143 * (p1 * (1 - p1) + p0 * (1 - p0)).squareRoot()
    let independent = (spread * spread / ((p1 - p0) * (p1 - p0))).rounded(.up)
    return Int((independent * (Double(own.n + control.n) / (own.1.n + control.1.n))).rounded(.up))
}
