import AfterpushWire
import JSON

/// Reads one event of the Segment family.
struct SegmentEventReader {
    let event: JSONObject
    let envelope: JSONObject
    let settings: DialectSettings
    let index: Int
    private let type: String
    private let properties: JSONObject
    private let context: JSONObject
    /// The context of the batch, which counts where the event's own says nothing.
    private let batchContext: JSONObject

    init(event: JSONObject, envelope: JSONObject, path: String, settings: DialectSettings, index: Int) {
        self.event = event
        self.envelope = envelope
        self.settings = settings
        self.index = index
        type = (event["type"]?.text ?? Self.type(of: path)).lowercased()
        properties = event["properties"]?.object ?? .empty
        context = event["context"]?.object ?? .empty
        batchContext = envelope["context"]?.object ?? .empty
    }

    /// The type that the path of a single event states.
    private static func type(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return ["t": "track", "i": "identify", "p": "page", "s": "screen", "g": "group", "a": "alias"][name] ?? name
    }

    func read(into submission: inout DialectSubmission) {
        let name = event["event"]?.text ?? ""
        let native = properties["afterpush"]?.object ?? event["afterpush"]?.object
        // A batch without types is one of events with names.
        guard type == "track" || !name.isEmpty && !["identify", "page", "screen", "group", "alias"].contains(type)
        else {
            return submission.ignore(index, type, .otherType)
        }
        guard event.at("integrations", "Afterpush")?.bool != false,
            envelope.at("integrations", "Afterpush")?.bool != false
        else { return submission.ignore(index, name, .disabled) }
        let rule = settings.mappings.rule(.segment, name, event)
        let meaning = EventNames.meaning(of: name)
        guard rule != nil || native != nil || meaning != nil else {
            return submission.ignore(index, name, .unknownName)
        }
        var result = NativeEvent(kind: "", index: index, source: name, sourceID: event["messageId"]?.text)
        result.derivedDevice = device
        describe(&result)
        if let meaning, !apply(meaning, to: &result), rule == nil, native == nil {
            return submission.ignore(index, name, .unknownName)
        }
        rule?.apply(to: &result, of: event)
        if let native { result.override(with: native) }
        nameDelivery(&result)
        submission.add(result)
        if meaning == .kind("failed"), rule == nil, native == nil, let lost = lostToken(result) { submission.add(lost) }
    }

    /// Sets what the event's name says; returns whether it says anything.
    private func apply(_ meaning: EventNames.Meaning, to native: inout NativeEvent) -> Bool {
        switch meaning {
        case .kind("delivered") where isOfIterable: native.set(.kind, "sent")
        case .kind(let kind): native.set(.kind, kind)
        case .tap: TapAction.set(action, userText: properties["user_text"]?.string, of: &native)
        case .uninstalled:
            native.set(.kind, "token_failed")
            native.set(.reason, "uninstalled")
        case .metric:
            guard let metric = properties["metric"]?.text, ["delivered", "opened", "converted"].contains(metric) else {
                return false
            }
            native.set(.kind, metric)
        }
        switch native.kind {
        case "failed":
            native.describe(
                .reason, properties.text("reason", "failure_reason", "failure_message", "error") ?? "unknown")
        case "converted": describeConversion(&native)
        default: break
        }
        return true
    }

    /// Iterable's "Push Delivered" says that the push service accepted the notification.
    private var isOfIterable: Bool {
        [at("integration", "name"), at("library", "name"), properties["source"]].contains {
            $0?.text?.lowercased().contains("iterable") == true
        }
    }

    private var action: String? {
        properties.text("action_identifier", "actionIdentifier", "action_id", "action", "button_id", "wzrk_c2a")
    }

    private func describeConversion(_ native: inout NativeEvent) {
        native.describe(.name, event["event"]?.text)
        native.set(value: properties["revenue"] ?? properties["total"] ?? properties["value"])
        native.set(currency: properties["currency"]?.text)
        native.keep("order_id", properties["order_id"])
    }

    /// Sets what the event says about its campaign, its device and its time.
    private func describe(_ native: inout NativeEvent) {
        let time = event["timestamp"] ?? event["originalTimestamp"] ?? event["sentAt"] ?? envelope["sentAt"]
        native.set(.occurredAt, ForeignTime.text(time) ?? settings.receivedAt.description)
        native.set(.utcOffsetMinutes, number: time?.text.flatMap(ForeignTime.offsetMinutes))
        native.describe(
            .campaignID,
            properties.text("campaign_id") ?? properties.at("campaign", "id")?.text ?? at("campaign", "id")?.text
                ?? properties.text("campaign_code") ?? properties.at("campaign", "name")?.text
                ?? properties.text("campaign_name", "canvas_id", "workflow_id", "journey_id", "Campaign Id")
                ?? at("campaign", "name")?.text)
        native.describe(
            .variant,
            properties.text(
                "variant", "variation_id", "message_variation_id", "wzrk_pivot", "treatment_id", "experiment_id"))
        let isPush =
            native.kind != "converted" && EventNames.meaning(of: event["event"]?.text ?? "") != .kind("converted")
        native.describe(
            .categoryID,
            properties.text("category_id") ?? properties.at("aps", "category")?.text
                ?? (isPush ? properties.text("category") : nil))
        native.describe(.platform, platform)
        native.describe(.appVersion, at("app", "version")?.text)
        native.describe(.osVersion, at("os", "version")?.text)
        native.describe(.locale, at("locale")?.text)
        native.keep("href", properties["link_url"] ?? properties["href"])
    }

    /// Names the notification and the device, unless a receipt does: a different name would cost the event.
    private func nameDelivery(_ native: inout NativeEvent) {
        if !native.has(.receipt) { native.set(.receipt, properties["afterpush"]?.string ?? event["afterpush"]?.string) }
        let named = native.receiptNames
        if !native.has(.notificationID), !named.notification { native.set(.notificationID, notification) }
        if !native.has(.deviceID), !named.device { native.set(.deviceID, device) }
    }

    private var notification: String? {
        properties.text(
            "notification_id", "msgid", "notificationId", "deliveryId", "delivery_id", "push_id", "$notification_id",
            "gcm.message_id", "google.message_id")
    }

    private var device: String? {
        for source in settings.deviceOrder {
            let text =
                switch source {
                case .deviceID: properties.text("device_id") ?? at("device", "id")?.text
                case .token: properties.text("subscription_id", "recipient") ?? at("device", "token")?.text
                case .anonymousID: event.text("anonymousId")
                case .userID: event.text("userId")
                }
            if let text { return text }
        }
        return nil
    }

    private var platform: String? {
        ForeignPlatform.word(at("device", "type")?.text) ?? ForeignPlatform.word(at("os", "name")?.text)
            ?? ForeignPlatform.word(at("library", "name")?.text)
    }

    /// The event that a failure implies if its reason says that the token is gone.
    private func lostToken(_ failure: NativeEvent) -> NativeEvent? {
        let reason = failure.text(.reason)?.lowercased().filter { $0.isLetter } ?? ""
        guard ["unregistered", "notregistered", "devicenotregistered", "uninstalled"].contains(reason) else {
            return nil
        }
        var lost = NativeEvent(kind: "token_failed", index: index, source: failure.source, sourceID: failure.sourceID)
        lost.derivedDevice = failure.derivedDevice
        for field in [NativeEvent.Field.deviceID, .occurredAt, .reason, .platform] {
            lost.set(field, failure.text(field))
        }
        return lost
    }

    /// The value at a path of the event's context, else of the batch's.
    private func at(_ path: String...) -> JSONElement? {
        context.value(at: path.joined(separator: ".")) ?? batchContext.value(at: path.joined(separator: "."))
    }
}
