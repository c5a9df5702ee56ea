import JSON

/// The events of PostHog's clients: batches, arrays and single events, of the first and the second capture protocol.
package enum PostHogEvents: Dialect {
    package static let family = DialectFamily.posthog

    /// The path of the second protocol, whose response has a verdict for each event.
    private static let verdictPath = "/i/v1/analytics/events"

    package static let routes = ["/batch", "/capture", "/e", "/i/v0/e", verdictPath].map { DialectRoute("POST", $0) }

    package static func claims(_ request: DialectRequest) -> Bool {
        request.path != "/batch" || SharedPaths.batchFamily(request) == .posthog
    }

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody {
        let body = try ForeignForm.json(request.body)
        if let events = try body.events { return ForeignBody(events: events, keys: keys(of: events, request)) }
        guard let object = body.object else { throw .malformed("the body is no object and no array") }
        guard let batch = object["batch"] else {
            return ForeignBody(events: [body], envelope: object, keys: keys(of: [body], request))
        }
        guard let events = try batch.events else { throw .malformed("batch is no array") }
        let key = object["api_key"]?.text ?? object["token"]?.text
        return ForeignBody(events: events, envelope: object, keys: key.map { [$0] } ?? keys(of: events, request))
    }

    /// The keys of events in a body that states none itself.
    private static func keys(of events: [JSONElement], _ request: DialectRequest) -> [String?] {
        guard DialectKeys.inHeaders(request.headers) == nil else { return [] }
        return events.map { event in
            let object = event.object
            return object?.text("api_key", "token", "$token") ?? object?["properties"]?.object?.text("token")
        }
    }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        var submission = DialectSubmission()
        let sentAt = sentAt(body, request)
        var isExact = body.envelope["historical_migration"]?.bool == true
        for (index, event) in body.events.enumerated() {
            guard let object = event.object else {
                submission.ignore(index, "", .malformed)
                continue
            }
            let name = object["event"]?.text ?? ""
            // Recordings and stack traces are large, so their properties aren't even looked at.
            if PostHogEvent.isLarge(name), settings.mappings.rule(.posthog, name, object) == nil {
                submission.ignore(index, name, .otherType)
                continue
            }
            let count = submission.events.count
            let reader = PostHogEvent(object, name, index, sentAt: sentAt, settings)
            reader.map(into: &submission)
            if submission.events.count > count, reader.hasExactTime { isExact = true }
        }
        submission.sentAt = isExact ? nil : sentAt
        return submission
    }

    /// When the client sent the request, by its clock.
    private static func sentAt(_ body: ForeignBody, _ request: DialectRequest) -> String? {
        ForeignTime.text(body.envelope["sent_at"])
            ?? request.headers["posthog-request-timestamp"].flatMap(ForeignTime.text)
            ?? (request.parameter("sent_at") ?? request.parameter("_")).flatMap(ForeignTime.text)
    }

    package static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer {
        request.path == verdictPath ? verdicts(outcome, request) : .success(outcome)
    }

    /// The verdict of each event by its `uuid`, unless that is no short text. An event without a verdict counts as
    /// accepted.
    private static func verdicts(_ outcome: DialectOutcome, _ request: DialectRequest) -> DialectAnswer {
        let events = (try? parse(request))?.events ?? []
        let rejected = Dictionary(outcome.rejected.map { ($0.index, $0) }) { first, _ in first }
        var seen: Set<String> = []
        var results: [(String, String)] = []
        for (index, event) in events.enumerated() {
            guard let uuid = event.object?["uuid"]?.text, uuid.isShort, seen.insert(uuid).inserted else { continue }
            let result = rejected[index].map { rejection in
                JSONText.object([
                    ("result", JSONText.string("drop")),
                    ("details", JSONText.string("\(rejection.code): \(rejection.detail)")),
                ])
            }
            results.append((uuid, result ?? #"{"result":"ok"}"#))
        }
        return .json(200, JSONText.object([("results", JSONText.object(results))]))
    }
}
