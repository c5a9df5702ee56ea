import JSON

/// The events of Snowplow's trackers, as a batch in a body or one in a query.
package enum SnowplowEvents: Dialect {
    package static let family = DialectFamily.snowplow
    package static let routes = [
        DialectRoute("POST", "/com.snowplowanalytics.snowplow/tp2"), DialectRoute("GET", "/i"),
    ]

    /// Other systems' clients ask at `/i`, too, but only Snowplow's state the type of an event.
    package static func claims(_ request: DialectRequest) -> Bool {
        request.method == "POST" || request.parameter("e") != nil && request.parameter("app_key") == nil
    }

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody {
        let events: [JSONElement]
        if request.method == "GET" {
            events = [
                try .body(Array(JSONText.object(request.query.map { ($0.name, JSONText.string($0.value)) }).utf8))
            ]
        } else {
            let body = try JSONElement.body(request.body)
            guard let list = try body.object?["data"]?.events else { throw .malformed("data is no array of events") }
            events = list
        }
        // The only field of an event that can hold a key is the name of the app.
        return ForeignBody(events: events, keys: events.map { $0.object?["aid"]?.text })
    }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        var submission = DialectSubmission()
        let mapped = settings.mappings.names(of: .snowplow)
        for (index, event) in body.events.enumerated() {
            guard let event = event.object else {
                submission.ignore(index, "", .malformed)
                continue
            }
            // A true time needs no correction.
            if submission.sentAt == nil, event["ttm"] == nil { submission.sentAt = ForeignTime.text(event["stm"]) }
            SnowplowEvent(event: event, settings: settings, mapped: mapped, index: index).read(into: &submission)
        }
        return submission
    }

    package static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer {
        request.method == "GET"
            ? .pixel : DialectAnswer(status: 200, contentType: "text/plain; charset=utf-8", body: Array("ok".utf8))
    }

    package static func answer(_ refusal: DialectRefusal, to request: DialectRequest) -> DialectAnswer {
        var refusal = refusal
        switch refusal.status {
        case 400, 401, 403, 410, 422: break
        // These pass.
        case 408, 429, 500...: break
        // The trackers repeat a request after any other status without end, even one that is too large.
        default: refusal.status = 400
        }
        return .refusal(refusal)
    }
}
