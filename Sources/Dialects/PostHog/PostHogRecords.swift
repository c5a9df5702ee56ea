package import JSON

/// Files of PostHog's batch exports and downloads, as JSON lines.
///
/// They have the identity of requests, so an event that was also posted counts once.
package enum PostHogRecords: RecordDialect {
    package static let family = DialectFamily.posthog

    package static func claims(_ record: JSONObject) -> Bool {
        guard let properties = record["properties"], record["event"]?.text != nil, record["distinct_id"]?.text != nil
        else { return false }
        let isObject = properties.type == .object || properties.string?.hasPrefix("{") == true
        return isObject && (record["uuid"]?.text != nil || record["timestamp"]?.text != nil)
    }

    package static func read(_ record: JSONElement, path: String, _ settings: DialectSettings) -> DialectSubmission {
        PostHogEvents.read(
            ForeignBody(events: [event(record)]), DialectRequest("POST", "/batch"), settings)
    }

    /// The event as a client would post it: some exports have the properties as a text with JSON, or call `uuid` `id`.
    private static func event(_ record: JSONElement) -> JSONElement {
        guard let object = record.object else { return record }
        let properties = object["properties"]?.string.flatMap { try? JSONElement(Array($0.utf8)) }
        let id = object["uuid"] == nil ? object["id"] : nil
        guard properties?.object != nil || id != nil else { return record }
        var members = object.all.map { (key: $0.name, json: $0.value.json) }
        if let properties {
            members = members.filter { $0.key != "properties" } + [(key: "properties", json: properties.json)]
        }
        if let id { members.append((key: "uuid", json: id.json)) }
        return (try? JSONElement(Array(JSONText.object(members).utf8))) ?? record
    }
}
