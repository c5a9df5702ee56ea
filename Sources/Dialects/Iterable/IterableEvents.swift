import JSON

/// Iterable's system webhooks, one event per request.
package enum IterableEvents: Dialect {
    package static let family = DialectFamily.iterable
    package static let routes = [DialectRoute("POST", "/v1/hooks/iterable")]

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody { try .hook(request) }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        body.read { IterableEventReader($1, index: $0, settings).read(into: &$2) }
    }
}

/// Reads one event of a system webhook.
private struct IterableEventReader {
    private let event: JSONObject
    private let data: JSONObject
    private let payload: JSONObject
    private let foreign: ForeignEvent

    init(_ event: JSONObject, index: Int, _ settings: DialectSettings) {
        self.event = event
        data = event["dataFields"]?.object ?? .empty
        payload = data["payload"]?.object ?? .empty
        let name = event["eventName"]?.text ?? ""
        // Events have no ID. The message's is that of several events; without it, the content identifies an event.
        let time = data["createdAt"]?.text ?? ""
        let id = data["messageId"]?.text.map { [$0, name, time].joined(separator: "\n") }
        foreign = ForeignEvent(
            .iterable, event, index: index, name: name, id: id,
            afterpush: payload["afterpush"] ?? data["afterpush"] ?? event["afterpush"], settings)
    }

    func read(into submission: inout DialectSubmission) {
        var native = foreign.native("")
        var lostReason: String?
        switch foreign.name.lowercased() {
        case "pushsend", "webpushsend":
            // A ghost push only asks whether the app is still there, and shows nothing.
            if data["isGhostPush"]?.bool == true { return foreign.ignore(.otherType, in: &submission) }
            native.set(.kind, "sent")
        case "pushbounce":
            native.set(.kind, "failed")
            let reason = data["reason"]?.text ?? "bounced"
            native.describe(.reason, reason)
            lostReason = reason
        case "pushopen", "webpushclick": setTap(&native)
        case "pushuninstall":
            native.set(.kind, "token_failed")
            native.set(.reason, "uninstalled")
        default: if !foreign.isMapped { return foreign.ignore(reason, in: &submission) }
        }
        describe(&native)
        foreign.add(native, notification: notification, device: device, to: &submission)
        if let lostReason { foreign.addLostToken(native, reason: lostReason, device: device, to: &submission) }
    }

    /// Sets which button was tapped, and that text was typed, but never the text.
    private func setTap(_ native: inout NativeEvent) {
        TapAction.set(data["actionIdentifier"]?.text, of: &native)
        if native.kind == "action", data["userText"]?.text != nil { native.set(.kind, "text_input") }
    }

    /// Why an event is ignored: skipped sends, and other channels.
    private var reason: IgnoredEvent.Reason {
        let name = foreign.name.lowercased()
        let isPush = name.hasPrefix("push") || name.hasPrefix("webpush")
        let isOther = ["email", "sms", "inapp", "embedded", "whatsapp"].contains { name.hasPrefix($0) }
        return isPush && name.hasSuffix("sendskip") || isOther ? .otherType : .unknownName
    }

    private func describe(_ native: inout NativeEvent) {
        native.set(.occurredAt, ForeignTime.text(data["createdAt"]))
        native.describe(.campaignID, data.text("campaignId", "campaignName"))
        native.describe(.variant, data["experimentId"]?.text)
        native.describe(.locale, data["locale"]?.text)
        let isWeb = foreign.name.lowercased().hasPrefix("web") || data["browserToken"]?.text != nil
        native.describe(.platform, isWeb ? "web" : ForeignPlatform.word(data.at("deviceInfo", "platform")?.text))
    }

    private var notification: String? { payload["msgid"]?.text ?? data["messageId"]?.text }

    private var device: String? {
        foreign.settings.device(
            id: data.at("deviceInfo", "deviceId")?.text, token: data.text("platformEndpoint", "browserToken"),
            user: event["userId"]?.text ?? data["userId"]?.text ?? event["email"]?.text ?? data["email"]?.text)
    }
}
