import AfterpushWire
import JSON

/// The events of Amplitude's clients, of the HTTP V2 API and the Batch Event Upload API.
package enum AmplitudeEvents: Dialect {
    package static let family = DialectFamily.amplitude
    package static let routes = [DialectRoute("POST", "/2/httpapi"), DialectRoute("POST", "/batch")]

    package static func claims(_ request: DialectRequest) -> Bool {
        request.path != "/batch" || SharedPaths.batchFamily(request) == .amplitude
    }

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody {
        guard let object = try JSONElement.body(request.body).object else { throw .malformed("the body is no object") }
        guard let events = object["events"] else { throw .malformed("events is missing") }
        let key = object["api_key"]?.text
        guard let list = try events.events else {
            guard events.type == .object else { throw .malformed("events is no array") }
            return ForeignBody(events: [events], envelope: object, keys: [key])
        }
        return ForeignBody(events: list, envelope: object, keys: [key])
    }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        var submission = DialectSubmission()
        submission.sentAt = ForeignTime.text(body.envelope["client_upload_time"])
        for (index, event) in body.events.enumerated() {
            guard let event = event.object else {
                submission.ignore(index, "", .malformed)
                continue
            }
            AmplitudeEvent(event, index, sentAt: submission.sentAt, settings).map(into: &submission)
        }
        return submission
    }

    /// A response with the `code` that clients look at instead of the status.
    ///
    /// Rejected events are not named in it, because clients would send all of the others again.
    package static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer {
        .json(
            200,
            JSONText.object([
                ("code", "200"), ("events_ingested", String(outcome.accepted + outcome.duplicates)),
                ("payload_size_bytes", String(outcome.bytes)),
                ("server_upload_time", String(outcome.receivedAt.microseconds / 1_000)),
                ("duplicates", String(outcome.duplicates)), ("ignored", String(outcome.ignored)),
                ("rejected", String(outcome.rejected.count)),
            ]))
    }

    /// A refusal in the only forms that end retries.
    ///
    /// Clients drop events for two bodies of status 400: one that names the key as they sent it, and one that names a
    /// missing field. Status 413 halves the batch, and 429 makes the events that it lists wait. All else is sent again.
    /// Keys with more rights than the public ones are not named, nor texts that are too long to be a key.
    package static func answer(_ refusal: DialectRefusal, to request: DialectRequest) -> DialectAnswer {
        var status = refusal.status
        var members: [(String, String)] = []
        switch status {
        case 401, 403:
            status = 400
            let key = object(of: request)?["api_key"]?.text ?? DialectKeys.inHeaders(request.headers)
            if let key, DialectKeys.isSecret(key) || !key.isShort {
                members = [("error", JSONText.string(refusal.detail)), ("missing_field", JSONText.string("api_key"))]
            } else if let key {
                members = [("error", JSONText.string("Invalid API key: \(key)"))]
            } else {
                members = [
                    ("error", JSONText.string("Request missing required field")),
                    ("missing_field", JSONText.string("api_key")),
                ]
            }
        case 429:
            let count = (try? object(of: request)?["events"]?.events)?.map(\.count) ?? 0
            members = [
                ("error", JSONText.string(refusal.detail)),
                ("throttled_events", JSONText.array((0..<count).map(String.init))),
            ]
        case 408, 413, 500...:
            members = [("error", JSONText.string(refusal.detail))]
        default:
            status = 400
            members = [("error", JSONText.string(refusal.detail)), ("missing_field", JSONText.string("events"))]
        }
        return .json(status, JSONText.object([("code", String(status))] + members))
    }

    /// The body again, of which a refusal repeats a part.
    private static func object(of request: DialectRequest) -> JSONObject? {
        request.body.isEmpty ? nil : (try? JSONElement(request.body))?.object
    }
}
