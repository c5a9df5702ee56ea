/// What a column of a report means.
package struct MetricDefinition: Sendable, Equatable {
    /// The column's name, or `REPORT.COLUMN` where it means something else in that report.
    package let name: String
    /// `deliveries`, `events`, `ratio`, `seconds` and the like.
    package let unit: String
    package let text: String
    /// What is divided, by what, of a rate.
    package let numerator: String?
    package let denominator: String?
    /// Which deliveries or events it speaks of.
    package let window: String?
}
