import AfterpushWire
import JSON

/// One event of PostHog.
struct PostHogEvent: PropertyEvent {
    static let family = DialectFamily.posthog

    let parts: PropertyEventParts

    init(_ event: JSONObject, _ name: String, _ index: Int, sentAt: String?, _ settings: DialectSettings) {
        parts = PropertyEventParts(
            event, name: name, properties: event["properties"]?.object, index: index, sentAt: sentAt, settings)
    }

    /// Whether events of a name are large and can't be of a notification.
    static func isLarge(_ name: String) -> Bool {
        ["$snapshot", "$snapshot_items", "$exception", "$$heatmap"].contains(name) || name.hasPrefix("survey ")
    }

    /// The client's own events, on the person, the page and feature flags.
    var isOtherType: Bool { name.hasPrefix("$") }

    var sourceID: String? { event["uuid"]?.text ?? properties["$insert_id"]?.text ?? event["$insert_id"]?.text }

    /// Whether the client asks not to correct the event's time by that of sending.
    var hasExactTime: Bool {
        let isExact = event.at("options", "disable_skew_correction") ?? properties["$ignore_sent_at"]
        return isExact?.bool == true || isExact?.number == 1
    }

    var occurredAt: String? {
        if let time = ForeignTime.text(event["timestamp"]) { return time }
        // In arrays, the client for browsers states how long before sending the event happened.
        guard let offset = event["offset"]?.number, let age = Int64(exactly: (offset * 1_000).rounded()),
            age.magnitude < 1 << 52
        else { return parts.sentAt }
        let sent = parts.sentAt.flatMap { Timestamp($0) } ?? settings.receivedAt
        return Timestamp(microseconds: sent.microseconds - age).description
    }

    // The client prefixes the members of the object `posthog` in a payload.
    var native: JSONObject? { properties["afterpush"]?.object ?? properties["$notification_afterpush"]?.object }
    var receipt: String? { properties["afterpush"]?.string ?? properties["$notification_afterpush"]?.string }
    var notification: String? {
        properties.text("$notification_notification_id", "$notification_id", "$notification_msgid")
            ?? commonNotification
    }
    var campaign: String? {
        properties.text("$notification_campaign_id") ?? commonCampaign ?? properties.text("$notification_workflow_id")
    }
    var action: String? { properties.text("$notification_action") ?? commonAction }

    func device(_ source: DeviceSource) -> String? {
        switch source {
        case .deviceID: properties.text("device_id", "$device_id")
        case .token: nil
        case .anonymousID: properties.text("$anon_distinct_id")
        case .userID: distinctID
        }
    }

    /// PostHog cuts longer IDs, so that they name the same person.
    private var distinctID: String? {
        let text = event.text("distinct_id", "$distinct_id") ?? properties.text("distinct_id", "$distinct_id")
        return text.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(200))) }
    }

    func describe(_ native: inout NativeEvent) {
        native.describe(.variant, properties.text("$notification_variant"))
        native.describe(.categoryID, properties.text("$notification_category_id", "$notification_category"))
        native.keep("workflow_action_id", properties["$notification_action_id"])
        native.set(.utcOffsetMinutes, number: event["timestamp"]?.text.flatMap(ForeignTime.offsetMinutes))
        // A server's system says nothing about the device.
        guard properties["$is_server"]?.bool != true else { return }
        native.describe(.platform, platform)
        native.describe(.appVersion, properties.text("$app_version"))
        native.describe(.osVersion, properties.text("$os_version"))
        native.describe(.locale, properties.text("$locale", "$browser_language"))
    }

    private var platform: String? {
        // Within a browser, the system is that of the computer.
        if ["web", "js"].contains(properties.text("$lib") ?? "") || properties["$browser"] != nil { return "web" }
        return ForeignPlatform.word(properties.text("$os", "$os_name"))
    }
}
