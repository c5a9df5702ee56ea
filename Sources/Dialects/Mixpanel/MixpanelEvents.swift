import JSON

/// The events and profiles that Mixpanel's clients post.
package enum MixpanelEvents: Dialect {
    package static let family = DialectFamily.mixpanel

    private static let paths = ["/track", "/import", "/engage", "/groups"]
    package static let routes = paths.map { DialectRoute("POST", $0) } + paths.map { DialectRoute("GET", $0) }

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody {
        let events = try events(of: request)
        let keys = events.map { event in
            let object = event.object
            return object?["properties"]?.object?.text("token") ?? object?.text("$token", "token")
        }
        return ForeignBody(events: events, keys: keys + [formKey(request)])
    }

    private static func events(of request: DialectRequest) throws(DialectError) -> [JSONElement] {
        if request.method == "GET" {
            guard let data = request.parameter("data") else { throw .malformed("data is missing") }
            return try events(in: ForeignForm.json(of: Array(data.utf8)))
        }
        if let lines = try lines(request.body) { return lines }
        return try events(in: ForeignForm.json(request.body))
    }

    /// The events of a JSON value: an array of them, or one.
    private static func events(in body: JSONElement) throws(DialectError) -> [JSONElement] {
        if let events = try body.events { return events }
        guard body.type == .object else { throw .malformed("the body is no object and no array") }
        return [body]
    }

    /// The events of a body with one JSON object a line, or `nil` if it is none.
    private static func lines(_ body: [UInt8]) throws(DialectError) -> [JSONElement]? {
        // A line ends with one or two characters. Empty lines count as well, because splitting them takes time.
        let mostEnds = 2 * ForeignBody.limit
        let parts = body.split(maxSplits: mostEnds + 1, omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
        let lines = parts.filter { !$0.isEmpty }
        guard lines.count > 1, let first = lines.first, (try? JSONElement(Array(first)))?.type == .object else {
            return nil
        }
        guard lines.count <= ForeignBody.limit, parts.count <= mostEnds + 1 else {
            throw .tooManyEvents(limit: ForeignBody.limit)
        }
        let null = try JSONElement.body(Array("null".utf8))
        return lines.map { (try? JSONElement(Array($0))) ?? null }
    }

    /// The key beside the events of a form, which an import of old events states.
    private static func formKey(_ request: DialectRequest) -> String? {
        guard request.method == "POST", !ForeignForm.startsAsJSON(request.body) else { return nil }
        return ForeignForm.field("api_key", of: request.body)
    }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        var submission = DialectSubmission()
        submission.sentAt = request.parameter("_").flatMap(ForeignTime.text)
        for (index, event) in body.events.enumerated() {
            guard let event = event.object else {
                submission.ignore(index, "", .malformed)
                continue
            }
            // Profiles are about persons.
            if request.path == "/engage" || request.path == "/groups" {
                submission.ignore(index, String(request.path.dropFirst()), .otherType)
                continue
            }
            MixpanelEvent(event, index, sentAt: submission.sentAt, settings).map(into: &submission)
        }
        return submission
    }

    package static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer {
        if request.parameter("img") == "1" { return .pixel }
        if request.path == "/import", ForeignForm.startsAsJSON(request.body) {
            let rejected = Set(outcome.rejected.map(\.index)).count
            return .json(
                200,
                JSONText.object([
                    ("code", "200"), ("status", JSONText.string("OK")),
                    ("num_records_imported", String(outcome.received - rejected)),
                ]))
        }
        return isVerbose(request) ? .success(outcome) : .plainOne
    }

    /// Whether the client asks for JSON, in the query or in the form.
    private static func isVerbose(_ request: DialectRequest) -> Bool {
        if let verbose = request.parameter("verbose") { return verbose != "0" }
        guard !ForeignForm.startsAsJSON(request.body) else { return false }
        return ForeignForm.field("verbose", of: request.body) == "1"
    }
}

extension DialectAnswer {
    /// The text `1`, which is Mixpanel's success.
    fileprivate static let plainOne = DialectAnswer(
        status: 200, contentType: "text/plain; charset=utf-8", body: [UInt8(ascii: "1")])
}
