package import AfterpushWire

/// What the collector answered, summed up.
package struct FleetTally: Sendable, Equatable {
    package private(set) var accepted = 0
    package private(set) var duplicates = 0
    package private(set) var rejected = 0
    /// How many events were rejected, by the reason's stable name.
    package private(set) var rejections: [String: Int] = [:]
    /// Requests whose key was refused.
    package private(set) var refused = 0

    package init() {}

    package mutating func add(_ answer: IngestResponse) {
        accepted += answer.accepted
        duplicates += answer.duplicates
        rejected += answer.rejected.count
        for rejection in answer.rejected { rejections[rejection.code, default: 0] += 1 }
    }

    mutating func addRefusal() {
        refused += 1
    }

    mutating func add(_ other: FleetTally) {
        accepted += other.accepted
        duplicates += other.duplicates
        rejected += other.rejected
        rejections.merge(other.rejections, uniquingKeysWith: +)
        refused += other.refused
    }
}
