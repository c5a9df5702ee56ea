import JSON

/// Events in the form of CloudEvents 1.0 over HTTP: one as a document, one in headers and body, or several as an array.
package enum CloudEvents: Dialect {
    package static let family = DialectFamily.cloudevents

    package static let routes = [DialectRoute("POST", "/v1/cloudevents")]

    /// Returns whether a request carries CloudEvents, at a path that also takes other ones.
    package static func isCloudEvent(_ request: DialectRequest) -> Bool {
        request.mediaType.hasPrefix(structured) || CloudEventHeaders.arePresent(in: request)
    }

    private static let structured = "application/cloudevents"
    private static let batch = "application/cloudevents-batch"

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody {
        switch try mode(request) {
        case .batch:
            guard let events = try JSONElement.body(request.body).events else {
                throw .malformed("the body is no array of events")
            }
            return ForeignBody(events: events)
        case .structured: return try single(JSONElement.body(request.body))
        case .binary: return try single(CloudEventHeaders.event(request))
        }
    }

    /// Throws if a required attribute is missing, so that the sender learns of it.
    private static func single(_ event: JSONElement) throws(DialectError) -> ForeignBody {
        guard let object = event.object else { throw .malformed("the event is no object") }
        if let flaw = CloudEventReader.flaw(of: object) { throw .malformed(flaw) }
        return ForeignBody(events: [event])
    }

    private enum Mode {
        case batch, structured, binary
    }

    private static func mode(_ request: DialectRequest) throws(DialectError) -> Mode {
        let type = request.mediaType
        for (prefix, mode) in [(batch, Mode.batch), (structured, .structured)] where type.hasPrefix(prefix) {
            guard ["", "+json"].contains(type.dropFirst(prefix.count)) else {
                throw .unsupportedMediaType("of CloudEvents, only the JSON format can be read")
            }
            return mode
        }
        if CloudEventHeaders.arePresent(in: request) { return .binary }
        // Some senders state the type of the document as plain JSON.
        switch request.body.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }) {
        case UInt8(ascii: "["): return .batch
        case UInt8(ascii: "{"): return .structured
        default: throw .unsupportedMediaType("the request has neither ce- headers nor a type of CloudEvents")
        }
    }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        var submission = DialectSubmission()
        for (index, event) in body.events.enumerated() {
            guard let event = event.object, CloudEventReader.flaw(of: event) == nil else {
                submission.ignore(index, event.object?["type"]?.text ?? "", .malformed)
                continue
            }
            CloudEventReader(event: event, settings: settings, index: index).read(into: &submission)
        }
        return submission
    }
}
