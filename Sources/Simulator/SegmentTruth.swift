import AfterpushWire

/// A segment's devices, and its deliveries by state.
package struct SegmentTruth: Sendable, Equatable, Codable {
    package let segment: String
    package private(set) var devices = 0
    package private(set) var sent = 0
    package private(set) var confirmed = 0
    package private(set) var responded = 0

    init(segment: String) {
        self.segment = segment
    }

    mutating func count(_ fleet: FleetDraft) {
        devices = fleet.devices.count { $0.segment.name == segment }
        for story in fleet.stories where story.device.segment.name == segment && story.send.kind == .sent {
            sent += 1
            if story.reports.contains(where: { $0.kind == .delivered }) { confirmed += 1 }
            if story.reports.contains(where: \.isResponse) { responded += 1 }
        }
    }
}
