import JSON

/// The settings that SDKs of the Segment family ask for before they send.
package enum SegmentSettings: Dialect {
    package static let family = DialectFamily.segment
    package static let routes = [
        DialectRoute("GET", "/v1/projects/{key}/settings", .sideCall),
        DialectRoute("GET", "/projects/{key}/settings", .sideCall),
        DialectRoute("GET", "/sourceConfig", .sideCall),
    ]

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody { ForeignBody(events: []) }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission { DialectSubmission() }

    package static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer {
        request.path == "/sourceConfig" ? sourceConfig(request) : settings(request)
    }

    /// The same settings for every key, so that the response doesn't tell whether a key exists.
    ///
    /// Without `integrations["Segment.io"]`, the SDK in Swift queues nothing. `httpConfig` switches it and the one in
    /// Kotlin to retry rules that end. `apiHost` is left out, because a wrong one would redirect the clients.
    private static func settings(_ request: DialectRequest) -> DialectAnswer {
        let parts = request.path.split(separator: "/")
        let key = parts.count >= 2 ? String(parts[parts.count - 2]) : ""
        let retries = #"{"rateLimitConfig":{"enabled":true},"backoffConfig":{"enabled":true}}"#
        let integration = JSONText.object([("apiKey", JSONText.string(key)), ("httpConfig", retries)])
        return .json(
            200,
            JSONText.object([
                ("integrations", JSONText.object([("Segment.io", integration)])), ("plan", "{}"),
                ("edgeFunction", "{}"), ("middlewareSettings", "{}"), ("metrics", "{}"), ("consentSettings", "{}"),
                ("autoInstrumentation", "{}"), ("httpConfig", retries),
            ]))
    }

    /// A source of RudderStack without destinations on the device, so that all events come here.
    private static func sourceConfig(_ request: DialectRequest) -> DialectAnswer {
        .json(
            200,
            #"{"source":{"id":"afterpush","name":"afterpush","writeKey":"","enabled":true,"workspaceId":"afterpush","#
                + #""connections":[],"destinations":[],"config":{"statsCollection":{"errors":{"enabled":false},"#
                + #""metrics":{"enabled":false}}}},"updatedAt":"2026-01-01T00:00:00Z","consentManagementMetadata":{"providers":[]}}"#
        )
    }
}
