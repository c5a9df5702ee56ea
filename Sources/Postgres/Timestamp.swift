/// A moment with PostgreSQL's precision: microseconds since the Unix epoch.
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

    /// From microseconds since 2000-01-01T00:00:00Z, PostgreSQL's epoch.
    init(postgres value: Int64) {
        let (sum, overflow) = value.addingReportingOverflow(Timestamp.epochOffset)
        self.microseconds = value == .min ? .min : overflow ? .max : sum
    }

    /// Microseconds since PostgreSQL's epoch; what is out of range becomes an infinity.
    var postgres: Int64 {
        if self.microseconds == .max { return .max }
        let (difference, overflow) = self.microseconds.subtractingReportingOverflow(Timestamp.epochOffset)
        return overflow ? .min : difference
    }

    /// From the Unix epoch to 2000-01-01T00:00:00Z, in microseconds.
    private static let epochOffset: Int64 = 946_684_800_000_000
}
