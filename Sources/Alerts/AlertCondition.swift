/// What a rule expects of a value, so that everything else is outside.
package enum AlertCondition: Sendable, Equatable {
    /// A value is at least `below` and at most `above`; one of them may be missing.
    case bounds(below: Double?, above: Double?)
    /// A value is a text other than these.
    case texts([String])
    /// A value is within the band around a reference.
    case band(AlertBand)
}

/// A band around values of the same report: those of the same hours of the weeks before, or those of a larger group.
package struct AlertBand: Sendable, Equatable {
    package enum Reference: Sendable, Equatable {
        /// The same hours of this many weeks before.
        case weeks(Int)
        /// The row of the larger group, by this value of the report's parameter `by`.
        case group(String)
    }

    package enum Side: String, Sendable, CaseIterable {
        case below, above, both
    }

    package let reference: Reference
    /// How far a value may lie beyond the reference, as a share of it.
    package let tolerance: Double
    /// The side of the band on which a value is outside.
    package let side: Side

    package init(reference: Reference, tolerance: Double, side: Side) {
        self.reference = reference
        self.tolerance = tolerance
        self.side = side
    }

    /// Returns the range in which values are expected, or nil if there are too few to compare with.
    ///
    /// The range goes from the lowest lower bound to the highest upper bound of the reference's intervals.
    func range(of values: [AlertValue]) -> AlertRange? {
        let needed = if case .weeks(let weeks) = reference { min(weeks, 2) } else { 1 }
        let intervals = values.compactMap(\.interval)
        guard intervals.count >= needed, let low = intervals.map(\.lowerBound).min(),
            let high = intervals.map(\.upperBound).max()
        else { return nil }
        return AlertRange(
            lower: side == .above ? nil : low - abs(low) * tolerance,
            upper: side == .below ? nil : high + abs(high) * tolerance)
    }
}

/// The values that are expected; a missing bound is no limit.
package struct AlertRange: Sendable, Equatable {
    package let lower: Double?
    package let upper: Double?

    /// Compares a whole interval with the range.
    func finding(of interval: ClosedRange<Double>) -> AlertFinding {
        if let lower, interval.upperBound < lower { return .outside }
        if let upper, interval.lowerBound > upper { return .outside }
        if let lower, interval.lowerBound < lower { return .unclear }
        if let upper, interval.upperBound > upper { return .unclear }
        return .inside
    }
}

/// The value of a row, with its interval if it has one.
package struct AlertValue: Sendable, Equatable {
    package var value: Double?
    package var low: Double?
    package var high: Double?
    /// The text in a column of texts.
    package var text: String?

    package init(value: Double? = nil, low: Double? = nil, high: Double? = nil, text: String? = nil) {
        (self.value, self.low, self.high, self.text) = (value, low, high, text)
    }

    /// The interval, or the value alone if it has none, or nil without a value.
    var interval: ClosedRange<Double>? {
        guard let value, value.isFinite else { return nil }
        let (low, high) = (min(low ?? value, value), max(high ?? value, value))
        return low.isFinite && high.isFinite ? low...high : nil
    }
}

/// How a value compares with what is expected.
package enum AlertFinding: Sendable, Equatable {
    /// The whole interval is outside.
    case outside
    /// The whole interval is inside.
    case inside
    /// The interval reaches over the bound, or there is no value.
    case unclear
    /// The report has no such row.
    case absent
}
