import AfterpushWire
import Foundation

@testable import AfterpushClient
@testable import Simulator

enum Sample {
    static let now = Timestamp(microseconds: 1_795_255_200_123_456)
    static let demo = FleetTraffic(.demo(now: now))

    static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(value)
    }

    /// The events that a visit's device posts.
    static func events(_ visit: DeviceVisit, _ traffic: FleetTraffic) -> [IngestEvent] {
        let device = traffic.devices[visit.device]
        let details = DeviceDetails(
            platform: device.platform, appVersion: device.build.version, osVersion: device.osVersion,
            locale: device.home.locale, utcOffsetMinutes: device.home.utcOffsetMinutes)
        return visit.entries.map {
            $0.event.ingestEvent(id: $0.id, at: $0.time, deviceID: device.id, details: details)
        }
    }

    static func deviceEvents(_ traffic: FleetTraffic) -> [IngestEvent] {
        traffic.visits.flatMap { events($0, traffic) }
    }

    /// Returns all events, each with its true time as the collector computes it.
    static func corrected(_ traffic: FleetTraffic) -> [IngestEvent] {
        let reports = traffic.visits.flatMap { visit in
            let skew = traffic.devices[visit.device].clockSkew
            return events(visit, traffic).map { event in
                guard abs(skew) >= 60 else { return event }
                var event = event
                event.occurredAt = event.occurredAt.advanced(by: -skew)
                return event
            }
        }
        return traffic.sends + reports
    }
}
