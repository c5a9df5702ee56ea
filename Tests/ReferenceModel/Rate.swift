/// A rate with its interval in three columns.
struct Rate {
    let name: String
    let numerator: Int
    let denominator: Int

    init(_ name: String, _ numerator: Int, of denominator: Int) {
        self.name = name
        self.numerator = numerator
        self.denominator = denominator
    }

    /// "A rate whose own denominator is under `min_n` is NULL with its interval, and `suppressed` is true if any in the
    /// row is." A denominator of 0 does not suppress (decision D4).
    func isSuppressed(minN: Int) -> Bool {
        denominator > 0 && denominator < minN
    }

    /// Why the rate is NULL: "`few`, `no_base`, `uncovered` (numerator above base) or nothing".
    func reason(minN: Int) -> Identifier? {
        if denominator == 0 { return "no_base" }
        if isSuppressed(minN: minN) { return "few" }
        return 0...denominator ~= numerator ? nil : "uncovered"
    }

    /// "No base, a base of 0, or a numerator above its base (declared sends that don't cover the deliveries) gives
    /// NULL." A numerator below 0, which has the same cause, gives NULL, too.
    ///
    /// - Parameter designEffect: that of the rate; with it, the interval is that of fewer deliveries.
    func cells(minN: Int, designEffect: Double = 1) -> [ModelRow.Cell] {
        let names = [name, name + "_low", name + "_high"]
        guard denominator > 0, 0...denominator ~= numerator, !isSuppressed(minN: minN) else {
            return names.map { ModelRow.Cell(name: $0, value: .null) }
        }
        let interval = ClusteredRate(numerator, of: denominator, designEffect: designEffect).interval
        let values = [Double(numerator) / Double(denominator), interval.low, interval.high]
        return zip(names, values).map { ModelRow.Cell(name: $0, value: .double($1)) }
    }
}

/// Why a rate of a row is missing. A row without a base has no other reason; a denominator of 0 of a single rate is the
/// last reason (decision D4).
func missingRates(_ rates: [Rate], base: Int, minN: Int) -> Identifier? {
    if base == 0 { return "no_base" }
    let reasons = rates.compactMap { $0.reason(minN: minN) }
    return ["few", "uncovered", "no_base"].first(where: reasons.contains)
}

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
        // In exact arithmetic the bounds of 0/n and n/n are 0 and 1; rounding must not exceed them.
        low = max(0, (centre - margin) / scale)
        high = min(1, (centre + margin) / scale)
    }
}
