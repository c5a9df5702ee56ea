import JSON

/// RudderStack's pixel: one event in the query of an image.
package enum SegmentPixel: Dialect {
    package static let family = DialectFamily.segment
    package static let routes = [
        DialectRoute("GET", "/pixel/v1/track"), DialectRoute("GET", "/pixel/v1/page"),
    ]

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody {
        var event = ForeignTree()
        for parameter in request.query where parameter.name != "writeKey" {
            var value = parameter.value
            // The pixel writes the id in quotes.
            if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = String(value.dropFirst().dropLast())
            }
            event.set(value, at: parameter.name)
        }
        event.set(request.path.hasSuffix("page") ? "page" : "track", at: "type")
        return ForeignBody(events: [try event.element])
    }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        SegmentEvents.read(body, request, settings)
    }

    package static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer { .pixel }

    package static func answer(_ refusal: DialectRefusal, to request: DialectRequest) -> DialectAnswer {
        // A page can do nothing about a refusal, so it gets its image; but one that will end is worth a retry.
        refusal.status == 429 || refusal.status >= 500 ? .refusal(refusal) : .pixel
    }
}

extension DialectAnswer {
    /// A transparent image of one pixel.
    package static let pixel = DialectAnswer(
        status: 200, contentType: "image/gif",
        body: [
            0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x01, 0x00, 0x01, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
            0x00,
            0x21, 0xF9, 0x04, 0x01, 0x00, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00,
            0x02,
            0x02, 0x44, 0x01, 0x00, 0x3B,
        ])
}
