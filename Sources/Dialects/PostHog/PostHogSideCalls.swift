import AfterpushWire
import JSON

/// What PostHog's clients ask for beside events: feature flags and their configuration, of which there are none.
package enum PostHogSideCalls: Dialect {
    package static let family = DialectFamily.posthog
    package static let routes = [
        DialectRoute("POST", "/flags", .sideCall), DialectRoute("GET", "/flags", .sideCall),
        DialectRoute("POST", "/decide", .sideCall), DialectRoute("GET", "/decide", .sideCall),
        DialectRoute("GET", "/array/{token}/config", .sideCall),
        // An unsubscribed device may have another subscription, so its token has not failed.
        DialectRoute("DELETE", "/api/push_subscriptions", .sideCall),
    ]

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody { ForeignBody(events: []) }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission { DialectSubmission() }

    package static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer {
        ["/flags", "/decide"].contains(request.path)
            ? .json(200, #"{"featureFlags":{},"flags":{},"errorsWhileComputingFlags":false}"#) : .json(200, "{}")
    }
}

/// The push tokens that PostHog's mobile clients register.
package enum PostHogSubscriptions: Dialect {
    package static let family = DialectFamily.posthog
    package static let routes = [DialectRoute("POST", "/api/push_subscriptions")]

    private static let name = "push_subscription"

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody {
        let body = try JSONElement.body(request.body)
        guard let object = body.object else { throw .malformed("the body is no object") }
        return ForeignBody(events: [body], envelope: object, keys: [object.text("api_key", "token")])
    }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        var submission = DialectSubmission()
        for (index, event) in body.events.enumerated() {
            guard let event = event.object, let token = event.text("device_token") else {
                submission.ignore(index, name, .malformed)
                continue
            }
            // Clients register a token at each start. Its ID comes from the token, so that it counts once.
            let app = event.text("app_id") ?? ""
            var native = NativeEvent(kind: "token_registered", index: index, source: name, sourceID: "\(app)\n\(token)")
            native.derivedDevice = DeviceName.stored(event.text("device_id", "$device_id", "distinct_id"))
            native.set(.deviceID, native.derivedDevice)
            native.set(.occurredAt, settings.receivedAt.description)
            native.describe(.platform, ForeignPlatform.word(event.text("platform")))
            submission.add(native)
        }
        return submission
    }
}
