import JSON

extension ForeignBody {
    /// Reads the body of a webhook: one event, an array of events, or an object with an array `events`.
    ///
    /// A JSON text of any other form counts as one event, which is ignored later: a sender that gets an error for it
    /// would hold back or give up all events after it.
    static func hook(_ request: DialectRequest) throws(DialectError) -> ForeignBody {
        let body = try JSONElement.body(request.body)
        if let events = try body.events { return ForeignBody(events: events) }
        if let object = body.object, let events = try object["events"]?.events {
            return ForeignBody(events: events, envelope: object)
        }
        return ForeignBody(events: [body])
    }

    /// Reads each event of the body that is an object, and ignores the others.
    func read(
        _ read: (_ index: Int, _ event: JSONObject, _ submission: inout DialectSubmission) -> Void
    ) -> DialectSubmission {
        var submission = DialectSubmission()
        for (index, event) in events.enumerated() {
            if let event = event.object {
                read(index, event, &submission)
            } else {
                submission.ignore(index, "", .malformed)
            }
        }
        return submission
    }
}
