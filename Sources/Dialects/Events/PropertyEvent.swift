import AfterpushWire
import JSON

/// An event of a system whose events have a name and properties, and how it becomes a native one.
///
/// The defaults read the names of properties that such systems have in common. A family states where it differs.
protocol PropertyEvent {
    static var family: DialectFamily { get }

    var parts: PropertyEventParts { get }
    /// The other system's ID of the event.
    var sourceID: String? { get }
    /// What the name means.
    var meaning: EventNames.Meaning? { get }
    /// Whether an event of this name can't be of a notification, unless it states native fields.
    var isOtherType: Bool { get }
    /// When the event happened, as a native time.
    var occurredAt: String? { get }
    /// The native fields that the event states outright.
    var native: JSONObject? { get }
    /// The receipt from the payload.
    var receipt: String? { get }
    var notification: String? { get }
    var campaign: String? { get }
    /// The action of a tap.
    var action: String? { get }

    /// Returns the text of a part of the event that can name its device.
    func device(_ source: DeviceSource) -> String?

    /// Returns the kind that a name stands for in this event, if it depends on the sender.
    func kind(_ kind: String) -> String

    /// Sets what only this family states, such as the platform.
    func describe(_ native: inout NativeEvent)

    /// Sets what a conversion was worth.
    func describeConversion(_ native: inout NativeEvent)
}

/// Where everything about an event with a name and properties is found.
struct PropertyEventParts {
    let name: String
    /// The position of the event in the request.
    let index: Int
    /// The whole event, on which mappings of an app state conditions.
    let event: JSONObject
    let properties: JSONObject
    /// When the client sent the request, by its clock.
    let sentAt: String?
    let settings: DialectSettings

    init(
        _ event: JSONObject, name: String?, properties: JSONObject?, index: Int, sentAt: String? = nil,
        _ settings: DialectSettings
    ) {
        self.name = name ?? ""
        self.index = index
        self.event = event
        self.properties = properties ?? .empty
        self.sentAt = sentAt
        self.settings = settings
    }
}

extension PropertyEvent {
    var name: String { parts.name }
    var index: Int { parts.index }
    var event: JSONObject { parts.event }
    var properties: JSONObject { parts.properties }
    var settings: DialectSettings { parts.settings }

    var meaning: EventNames.Meaning? { EventNames.meaning(of: name) }
    var isOtherType: Bool { false }
    var native: JSONObject? { properties["afterpush"]?.object ?? event["afterpush"]?.object }
    var receipt: String? { properties["afterpush"]?.string ?? event["afterpush"]?.string }
    var notification: String? { commonNotification }
    var campaign: String? { commonCampaign }
    var action: String? { commonAction }

    func kind(_ kind: String) -> String { kind }

    func describeConversion(_ native: inout NativeEvent) {
        native.set(value: properties["revenue"] ?? properties["total"] ?? properties["value"])
        native.set(currency: properties["currency"]?.text)
    }

    var commonNotification: String? {
        properties.text(
            "notification_id", "msgid", "notificationId", "deliveryId", "delivery_id", "push_id", "$notification_id",
            "gcm.message_id", "google.message_id")
    }

    var commonCampaign: String? {
        properties.text("campaign_id") ?? properties.at("campaign", "id")?.text ?? properties.text("campaign_code")
            ?? properties.at("campaign", "name")?.text
            ?? properties.text("campaign_name", "canvas_id", "workflow_id", "journey_id", "Campaign Id")
    }

    var commonAction: String? {
        properties.text("action_identifier", "actionIdentifier", "action_id", "action", "button_id", "wzrk_c2a")
    }

    /// The name of the device: the first part, in the order of the app's settings, that names one.
    var device: String? {
        for source in settings.deviceOrder {
            if let name = DeviceName.stored(device(source)) { return name }
        }
        return nil
    }

    /// Adds the native events of the event to a submission, or ignores it.
    func map(into submission: inout DialectSubmission) {
        let rule = settings.mappings.rule(Self.family, name, event)
        let (native, meaning) = (native, meaning)
        guard rule != nil || native != nil || meaning != nil else {
            return submission.ignore(index, name, isOtherType ? .otherType : .unknownName)
        }
        var result = NativeEvent(kind: "", index: index, source: name, sourceID: sourceID)
        let device = device
        result.derivedDevice = device
        describeCommon(&result)
        describe(&result)
        if let meaning, !apply(meaning, to: &result), rule == nil, native == nil {
            return submission.ignore(index, name, .unknownName)
        }
        rule?.apply(to: &result)
        if let native { result.override(with: native) }
        result.nameDelivery(receipt: receipt, notification: notification, device: device)
        submission.add(result)
        if meaning == .kind("failed"), rule == nil, native == nil, let lost = lostToken(result) { submission.add(lost) }
    }

    /// Sets what the event's name says; returns whether it says anything.
    private func apply(_ meaning: EventNames.Meaning, to native: inout NativeEvent) -> Bool {
        switch meaning {
        case .kind(let kind): native.set(.kind, self.kind(kind))
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
        case "converted":
            native.describe(.name, name)
            native.keep("order_id", properties["order_id"])
            describeConversion(&native)
        default: break
        }
        return true
    }

    private func describeCommon(_ native: inout NativeEvent) {
        native.set(.occurredAt, occurredAt ?? settings.receivedAt.description)
        native.describe(.campaignID, campaign)
        native.describe(
            .variant,
            properties.text(
                "variant", "variation_id", "message_variation_id", "wzrk_pivot", "treatment_id", "experiment_id"))
        // In events of commerce, `category` is that of a product.
        native.describe(
            .categoryID,
            properties.text("category_id") ?? properties.at("aps", "category")?.text
                ?? (meaning == .kind("converted") ? nil : properties.text("category")))
        native.keep("href", properties["link_url"] ?? properties["href"])
    }

    /// The event that a failure implies if its reason says that the token is gone.
    private func lostToken(_ failure: NativeEvent) -> NativeEvent? {
        guard NativeEvent.saysTokenIsGone(failure.text(.reason)) else { return nil }
        var lost = NativeEvent(kind: "token_failed", index: index, source: failure.source, sourceID: failure.sourceID)
        lost.derivedDevice = failure.derivedDevice
        for field in [NativeEvent.Field.deviceID, .occurredAt, .reason, .platform] {
            lost.set(field, failure.text(field))
        }
        return lost
    }
}
