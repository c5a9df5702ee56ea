import JSON

/// OneSignal's Event Streams, whose bodies the customer writes with the properties of an event.
///
/// The properties are members with dots, as in OneSignal's own example, objects within each other, or names with
/// underscores.
package enum OneSignalStream: Dialect {
    package static let family = DialectFamily.onesignal
    package static let routes = [DialectRoute("POST", "/v1/hooks/onesignal")]

    /// What the event's kind means; of other channels, none counts.
    private static let kinds = [
        "message.push.sent": "sent", "message.push.received": "delivered", "message.push.clicked": "opened",
        "message.push.failed": "failed", "message.push.unsubscribed": "permission_revoked",
    ]

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody { try .hook(request) }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        body.read { read($1, $0, settings, into: &$2) }
    }

    private static func read(
        _ event: JSONObject, _ index: Int, _ settings: DialectSettings, into submission: inout DialectSubmission
    ) {
        let name = event.liquid("event.kind") ?? event.text("kind", "event") ?? ""
        let foreign = ForeignEvent(
            family, event, index: index, name: name, id: event.liquid("event.id"), afterpush: event["afterpush"],
            settings)
        let kind = kinds[name.lowercased()]
        guard kind != nil || foreign.isMapped else {
            let isOfPush = name.lowercased().hasPrefix("message.push.") || !name.lowercased().hasPrefix("message.")
            return foreign.ignore(isOfPush ? .unknownName : .otherType, in: &submission)
        }
        var native = foreign.native(kind ?? "")
        let time = event.liquid("event.datetime").flatMap(ForeignTime.text)
        native.set(.occurredAt, time ?? event.liquid("event.timestamp").flatMap(ForeignTime.text))
        native.describe(.campaignID, event.liquid("message.template_id") ?? event.liquid("message.name"))
        native.describe(.platform, platform(event.liquid("event.subscription_device_type")))
        let device = settings.device(
            token: event.liquid("event.subscription_id"), anonymous: event.liquid("event.onesignal_id"),
            user: event.liquid("event.external_id") ?? event.liquid("user.external_id"))
        let reason = kind == "failed" ? event.liquid("event.data.failure_reason") ?? "unknown" : nil
        native.describe(.reason, reason)
        foreign.add(native, notification: event.liquid("message.id"), device: device, to: &submission)
        if let reason, NativeEvent.saysTokenIsGone(reason) {
            foreign.addLostToken(native, reason: reason, device: device, to: &submission)
        }
    }

    /// The platform of a subscription's type, such as `iOS`, `iOSPush` or `Chrome`.
    private static func platform(_ type: String?) -> String? {
        guard var type = type?.lowercased() else { return nil }
        if type.hasSuffix("push") { type.removeLast(4) }
        return type == "huawei" ? "android" : ForeignPlatform.word(type)
    }
}

extension JSONObject {
    /// The text of a property by its path, however the sender nests it. An empty text counts as absent, because that is
    /// what a template makes of a property that an event doesn't have.
    fileprivate func liquid(_ path: String) -> String? {
        if let text = value(at: path)?.text { return text }
        if let dot = path.lastIndex(of: ".") {
            let name = String(path[path.index(after: dot)...])
            if let text = value(at: String(path[..<dot]))?.object?.value(named: name)?.text { return text }
        }
        return value(named: path.replacing(".", with: "_"))?.text
    }

    /// The value at a path of members, joined by dots. A member whose name holds dots is found by its whole name.
    private func value(at path: String) -> JSONElement? {
        if let value = value(named: path) { return value }
        guard let dot = path.firstIndex(of: ".") else { return nil }
        return value(named: String(path[..<dot]))?.object?.value(at: String(path[path.index(after: dot)...]))
    }
}
