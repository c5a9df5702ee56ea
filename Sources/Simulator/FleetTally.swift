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
        accepted += response.accepted
        duplicates += response.duplicates
        rejected += response.rejected.count
        for rejection in response.rejected { rejections[rejection.code, default: 0] += 1 }
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
