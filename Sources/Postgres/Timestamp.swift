/// A point in time with PostgreSQL's precision, in microseconds since the Unix epoch.
///
/// `infinity` and `-infinity` decode to the largest and the smallest value.
package struct Timestamp: Sendable, Hashable, Comparable {
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Creates a timestamp from microseconds since PostgreSQL's epoch, 2000-01-01T00:00:00Z.
    init(postgres value: Int64) {
        let (sum, overflow) = value.addingReportingOverflow(Timestamp.epochOffset)
        self.microseconds = value == .min ? .min : overflow ? .max : sum
    }

    /// The microseconds since PostgreSQL's epoch; values out of range become `infinity` or `-infinity`.
    var postgres: Int64 {
        if self.microseconds == .max { return .max }
        let (difference, overflow) = self.microseconds.subtractingReportingOverflow(Timestamp.epochOffset)
        return overflow ? .min : difference
    }

    /// The microseconds from the Unix epoch to PostgreSQL's.
    private static let epochOffset: Int64 = 946_684_800_000_000
}
