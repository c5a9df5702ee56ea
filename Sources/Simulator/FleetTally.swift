package import AfterpushWire

/// The sum of the collector's responses.
package struct FleetTally: Sendable, Equatable {
    package private(set) var accepted = 0
    package private(set) var duplicates = 0
    package private(set) var rejected = 0
    /// The number of rejected events by the code of the reason.
    package private(set) var rejections: [String: Int] = [:]
    /// The number of requests whose key was refused.
    package private(set) var refused = 0

    package init() {}

    package mutating func add(_ response: IngestResponse) {
        // Whatever the collector says, its numbers must not end the simulation.
        accepted = accepted.addingBounded(response.accepted)
        duplicates = duplicates.addingBounded(response.duplicates)
        rejected += response.rejected.count
        for rejection in response.rejected { rejections[rejection.code, default: 0] += 1 }
    }

    mutating func addRefusal() {
        refused += 1
    }

    mutating func add(_ other: FleetTally) {
        accepted = accepted.addingBounded(other.accepted)
        duplicates = duplicates.addingBounded(other.duplicates)
        rejected += other.rejected
        rejections.merge(other.rejections, uniquingKeysWith: +)
        refused += other.refused
    }
}

extension Int {
    /// The sum, or the greatest or smallest number if it is beyond that.
    fileprivate func addingBounded(_ other: Int) -> Int {
        let (sum, isBeyond) = addingReportingOverflow(other)
        return isBeyond ? (other > 0 ? .max : .min) : sum
    }
}
