package import Foundation

/// Events as JSON, as dictionaries or as raw text.
package enum EventJSON {
    package static let occurredAt = "2026-11-20T10:00:00Z"

    /// A valid event with some fields added or replaced.
    package static func event(_ fields: [String: any Sendable] = [:]) -> [String: any Sendable] {
        let event: [String: any Sendable] = [
            "event_id": UUID().uuidString, "kind": "opened", "notification_id": "n1", "device_id": "d1",
            "occurred_at": occurredAt,
        ]
        return event.merging(fields) { $1 }
    }

    package static func body(_ events: [[String: any Sendable]]) throws -> Data {
        try JSONSerialization.data(withJSONObject: ["events": events])
    }

    /// A request body of raw JSON texts.
    package static func body(raw events: [String]) -> Data {
        Data("{\"events\":[\(events.joined(separator: ","))]}".utf8)
    }

    /// The text of a valid event with more members in front.
    package static func raw(_ members: String = "", kind: String = "opened") -> String {
        """
        {\(members.isEmpty ? "" : members + ",")"event_id":"\(UUID().uuidString)","kind":"\(kind)",\
        "notification_id":"n-\(UUID().uuidString)","device_id":"d1","occurred_at":"\(occurredAt)"}
        """
    }
}
