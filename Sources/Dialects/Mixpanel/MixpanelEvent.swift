import JSON

/// One event of Mixpanel.
struct MixpanelEvent: PropertyEvent {
    static let family = DialectFamily.mixpanel

    let parts: PropertyEventParts

    init(_ event: JSONObject, _ index: Int, sentAt: String?, _ settings: DialectSettings) {
        parts = PropertyEventParts(
            event, name: event["event"]?.text, properties: event["properties"]?.object, index: index, sentAt: sentAt,
            settings)
    }

    /// The client's own events, on the person, the page and the session.
    var isOtherType: Bool { name.hasPrefix("$") }
    var sourceID: String? { properties["$insert_id"]?.text }
    /// Clients write seconds or milliseconds.
    var occurredAt: String? { ForeignTime.text(properties["time"]) ?? parts.sentAt }

    func device(_ source: DeviceSource) -> String? {
        switch source {
        case .deviceID: properties.text("device_id", "$device_id")
        case .token: nil
        case .anonymousID: anonymousID
        case .userID: properties.text("$user_id", "distinct_id", "$distinct_id")
        }
    }

    /// The device of somebody who is not known yet, which the client states as `$device:ID`.
    private var anonymousID: String? {
        let prefix = "$device:"
        guard let id = properties.text("distinct_id", "$distinct_id"), id.hasPrefix(prefix), id != prefix else {
            return nil
        }
        return String(id.dropFirst(prefix.count))
    }

    func describe(_ native: inout NativeEvent) {
        native.describe(.platform, platform)
        native.describe(.appVersion, properties.text("$app_version_string", "$app_version"))
        native.describe(.osVersion, properties.text("$os_version"))
        native.describe(.locale, properties.text("$locale"))
    }

    private var platform: String? {
        // Within a browser, the system is that of the computer.
        if properties["$browser"] != nil || properties.text("mp_lib") == "web" { return "web" }
        return ForeignPlatform.word(properties.text("$os")) ?? ForeignPlatform.word(properties.text("mp_lib"))
    }
}
