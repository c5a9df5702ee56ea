import Foundation
import ReferenceModel
import TestSupport

/// Another system's format in which a request of the model is posted. Its events state their native fields outright.
enum ModelDialect: CaseIterable {
    case segment, posthog, amplitude, mixpanel, cloudEvents, snowplow

    /// Chooses a format for about half of the requests, always the same for a request.
    static func of(_ request: [ModelEvent]) -> ModelDialect? {
        let byte = Int(request.first?.eventID.uuid.15 ?? 0)
        return byte % 2 == 0 ? allCases[byte / 2 % allCases.count] : nil
    }

    /// The paths and types of the requests.
    private var place: (path: String, type: String) {
        switch self {
        case .segment: ("/v1/batch", "application/json")
        case .posthog: ("/batch/", "application/json")
        case .amplitude: ("/2/httpapi", "application/json")
        case .mixpanel: ("/track", "application/json")
        case .cloudEvents: ("/v1/events", "application/cloudevents-batch+json")
        case .snowplow: ("/com.snowplowanalytics.snowplow/tp2", "application/json")
        }
    }

    /// Posts the events of a native body.
    func post(_ native: Data, _ client: TestClient, key: String) async throws -> TestClient.Response {
        let body = try JSONSerialization.jsonObject(with: native) as? [String: Any]
        let events = (body?["events"] as? [[String: Any]] ?? []).enumerated().map { index, event in
            let id = event["event_id"] as? String ?? "\(index)"
            return self.event(event, id: id)
        }
        let data = try JSONSerialization.data(withJSONObject: request(events, key: key))
        return try await client.post(place.path, data, key: key, headers: ["Content-Type": place.type])
    }

    private func event(_ native: [String: Any], id: String) -> [String: Any] {
        let name = "Something Happened"
        return switch self {
        case .segment: ["type": "track", "event": name, "messageId": id, "properties": ["afterpush": native]]
        case .posthog: ["event": name, "uuid": id, "distinct_id": "u", "properties": ["afterpush": native]]
        case .amplitude: ["event_type": name, "insert_id": id, "event_properties": ["afterpush": native]]
        case .mixpanel: ["event": name, "properties": ["$insert_id": id, "afterpush": native]]
        case .cloudEvents:
            [
                "specversion": "1.0", "type": "org.example.something", "source": "/model", "id": id,
                "data": ["afterpush": native],
            ]
        case .snowplow: ["e": "ue", "eid": id, "co": Self.entity(native)]
        }
    }

    /// The entity of Snowplow's clients that states native fields, as they write it: JSON in a text.
    private static func entity(_ native: [String: Any]) -> String {
        let schemas = "iglu:com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-1"
        let contexts: [String: Any] = [
            "schema": schemas, "data": [["schema": "iglu:com.afterpush/response/jsonschema/1-0-0", "data": native]],
        ]
        return (try? JSONSerialization.data(withJSONObject: contexts)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private func request(_ events: [[String: Any]], key: String) -> Any {
        switch self {
        case .segment: ["batch": events, "writeKey": key]
        case .posthog: ["batch": events, "api_key": key]
        case .amplitude: ["api_key": key, "events": events]
        case .mixpanel, .cloudEvents: events
        case .snowplow:
            [
                "schema": "iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4", "data": events,
            ]
        }
    }
}
