import AfterpushWire
import JSON

/// The events of Segment, RudderStack, Customer.io CDP and Jitsu: batches, single events, and what Segment's webhooks
/// forward.
package enum SegmentEvents: Dialect {
    package static let family = DialectFamily.segment

    private static let types = ["track", "identify", "page", "screen", "group", "alias"]

    package static let routes: [DialectRoute] =
        ["/v1/batch", "/v1/b", "/v1/import", "/beacon/v1/batch", "/batch", "/b"].map { DialectRoute("POST", $0) }
        + types.flatMap { [DialectRoute("POST", "/v1/\($0)"), DialectRoute("POST", "/v1/\($0.prefix(1))")] }
        + [DialectRoute("POST", "/api/s/{type}"), DialectRoute("POST", "/api/s/s2s/{type}")]

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody {
        let body = try JSONElement.body(request.body)
        if let events = try body.events { return ForeignBody(events: events) }
        guard let object = body.object else { throw .malformed("the body is no object and no array") }
        let key = object["writeKey"]?.text
        guard let batch = object["batch"] else { return ForeignBody(events: [body], envelope: object, keys: [key]) }
        guard let events = try batch.events else { throw .malformed("batch is no array") }
        return ForeignBody(events: events, envelope: object, keys: [key])
    }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        var submission = DialectSubmission()
        let library = body.events.first?.object?.at("context", "library", "name")?.text
        submission.sentAt = SegmentClock.sentAt(
            ForeignTime.text(body.envelope["sentAt"]), library: library, receivedAt: settings.receivedAt)
        let batch = SegmentBatch(body.envelope, path: request.path)
        for (index, event) in body.events.enumerated() {
            guard let event = event.object else {
                submission.ignore(index, "", .malformed)
                continue
            }
            SegmentEventReader(event, of: batch, settings, index: index).read(into: &submission)
        }
        return submission
    }

    package static func answer(_ refusal: DialectRefusal, to request: DialectRequest) -> DialectAnswer {
        var refusal = refusal
        if isOfSwift(request), 400..<500 ~= refusal.status, ![408, 429].contains(refusal.status) {
            refusal.status = 400
        }
        return .refusal(refusal)
    }

    /// Whether a request is of the SDK in Swift.
    ///
    /// Unless its settings say otherwise, it drops a batch only if the status is 400. Any other that is no success
    /// makes it send the batch again for ever.
    private static func isOfSwift(_ request: DialectRequest) -> Bool {
        request.headers["user-agent"]?.lowercased().hasPrefix("analytics-ios/") == true
    }
}

/// When a sender of the Segment family sent a request.
enum SegmentClock {
    /// Returns the time of sending, if it can be compared with the arrival.
    ///
    /// The SDKs in Swift and Kotlin write `sentAt` when they close the file of a batch, and upload the file later,
    /// perhaps days later. There, a time in the past says nothing about the device's clock; only one in the future
    /// does.
    static func sentAt(_ sentAt: String?, library: String?, receivedAt: Timestamp) -> String? {
        guard let sentAt, let time = Timestamp(sentAt) else { return nil }
        let writesFiles = ["analytics-swift", "analytics-kotlin"].contains {
            library?.lowercased().contains($0) == true
        }
        guard writesFiles else { return sentAt }
        return time.microseconds - receivedAt.microseconds >= 60_000_000 ? sentAt : nil
    }
}
