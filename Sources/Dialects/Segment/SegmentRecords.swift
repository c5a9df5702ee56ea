package import JSON

/// Files of events of the Segment family, as Segment's and RudderStack's storage destinations write them.
///
/// They have the identity of requests, so an event that was also posted counts once.
package enum SegmentRecords: RecordDialect {
    package static let family = DialectFamily.segment

    private static let types: Set<String> = ["track", "identify", "page", "screen", "group", "alias"]

    package static func claims(_ record: JSONObject) -> Bool {
        if let events = try? record["batch"]?.elements(limit: ForeignBody.limit) {
            return events.contains { $0.object.map(isEvent) == true }
        }
        return isEvent(record)
    }

    private static func isEvent(_ record: JSONObject) -> Bool {
        record["messageId"]?.text != nil && types.contains(record["type"]?.text?.lowercased() ?? "")
            && ["context", "anonymousId", "userId", "originalTimestamp"].contains { record[$0] != nil }
    }

    package static func read(_ record: JSONElement, path: String, _ settings: DialectSettings) -> DialectSubmission {
        let request = DialectRequest("POST", "/v1/batch")
        // A file can hold whole requests.
        let events = (try? record.object?["batch"]?.elements(limit: ForeignBody.limit)) ?? [record]
        let body = ForeignBody(events: events, envelope: record.object ?? .empty)
        return SegmentEvents.read(body, request, settings)
    }
}
