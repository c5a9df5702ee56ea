import JSON

/// The events, sessions and push tokens that Countly's clients post.
package enum CountlyEvents: Dialect {
    package static let family = DialectFamily.countly
    package static let routes = [DialectRoute("GET", "/i"), DialectRoute("POST", "/i")]
    package static let signingSecret: String? = "countly"

    /// Parameters that hold JSON. Those with personal data are not read at all.
    private static let json = ["events", "metrics"]
    private static let unread = ["user_details", "crash", "location", "ip_address", "events"]

    /// Other clients post to the path, too, but state no `app_key`.
    package static func claims(_ request: DialectRequest) -> Bool {
        if request.parameter("app_key") != nil { return true }
        guard request.method == "POST" else { return false }
        return request.body.isEmpty || CountlyParameters.all(request).contains { $0.name == "app_key" }
    }

    /// Splits a request into events. What can't be read is one that is ignored, because a refused request would block the
    /// client's queue.
    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody {
        // No parameter has a long name.
        let parameters = CountlyParameters.all(request).filter { $0.name.isShort }
        let values = Dictionary(parameters.map { ($0.name, $0.value) }) { first, _ in first }
        var events: [JSONElement] = []
        for name in ["begin_session", "token_session"] where values[name] == "1" {
            events.append(try .body(Array(JSONText.object([("key", JSONText.string("[CLY]_\(name)"))]).utf8)))
        }
        if let text = values["events"], !text.isEmpty {
            let null = try JSONElement.body(Array("null".utf8))
            let list = (try? JSONElement(Array(text.utf8))) ?? null
            events += try list.events ?? [list]
        }
        let members = values.filter { !unread.contains($0.key) }.map { name, value in
            let isJSON = json.contains(name) && (try? JSONElement(Array(value.utf8))) != nil
            return (name, isJSON ? value : JSONText.string(value))
        }
        let envelope = try JSONElement.body(Array(JSONText.object(members.sorted { $0.0 < $1.0 }).utf8)).object
        return ForeignBody(events: events, envelope: envelope ?? .empty, keys: [values["app_key"]])
    }

    package static func verify(_ request: DialectRequest, _ settings: DialectSettings) throws(DialectError) {
        guard let salt = settings.signingSecrets["countly"], !salt.isEmpty else { return }
        try CountlyChecksum.verify(request, salt: salt)
    }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        let parameters = CountlyEnvelope(body.envelope)
        return body.read { index, event, submission in
            CountlyEvent(event, parameters, index, settings).map(into: &submission)
        }
    }

    /// Returns a refusal, or a success if a retry would be refused, too.
    ///
    /// Clients send a request until its response is a success with a `result`, and nothing behind it. An unknown key
    /// keeps its status, because events wait until it is known. A wrong checksum is a success, as with Countly's
    /// server.
    package static func answer(_ refusal: DialectRefusal, to request: DialectRequest) -> DialectAnswer {
        guard [400, 413, 415, 422].contains(refusal.status) || refusal.code == DialectError.signatureCode else {
            return .refusal(refusal)
        }
        return .json(
            200,
            JSONText.object([
                ("result", JSONText.string("Ignored")), ("code", JSONText.string(refusal.code)),
                ("error", JSONText.string(refusal.detail)),
            ]))
    }
}

/// Requests of Countly's clients without events, such as those for remote configuration. Afterpush has none to give.
package enum CountlySideCalls: Dialect {
    package static let family = DialectFamily.countly
    package static let routes = [DialectRoute("GET", "/o/sdk", .sideCall), DialectRoute("POST", "/o/sdk", .sideCall)]

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody { ForeignBody(events: []) }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission { DialectSubmission() }

    package static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer {
        .json(200, "{}")
    }
}
