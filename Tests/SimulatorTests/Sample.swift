import AfterpushWire
import Foundation

@testable import Simulator

enum Sample {
    static let now = Timestamp(microseconds: 1_795_255_200_123_456)
    static let demo = FleetTraffic(.demo(now: now))

    static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(value)
    }

    /// All events once, each with the true time, as the collector works it out.
    static func corrected(_ traffic: FleetTraffic) -> [IngestEvent] {
        (traffic.serverRequests + traffic.deviceRequests).flatMap { request in
            let skew = traffic.now.microseconds - (request.sentAt ?? traffic.now).microseconds
            return request.events.map { event in
                var event = event
                if abs(skew) >= 60_000_000 {
                    event.occurredAt = Timestamp(microseconds: event.occurredAt.microseconds + skew)
                }
                return event
            }
        }
    }
}
