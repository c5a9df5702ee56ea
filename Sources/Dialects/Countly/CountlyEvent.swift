import JSON

/// One event of Countly, or what a parameter of the request says, such as the beginning of a session.
struct CountlyEvent: PropertyEvent {
    static let family = DialectFamily.countly

    let parts: PropertyEventParts
    private let parameters: CountlyEnvelope

    init(_ event: JSONObject, _ parameters: CountlyEnvelope, _ index: Int, _ settings: DialectSettings) {
        parts = PropertyEventParts(
            event, name: event["key"]?.text, properties: event["segmentation"]?.object, index: index, settings)
        self.parameters = parameters
    }

    /// The client's own events, such as views and ratings.
    var isOtherType: Bool { name.hasPrefix("[CLY]") }
    var sourceID: String? { event["id"]?.text }
    var occurredAt: String? {
        guard let own = event["timestamp"] else { return parameters.occurredAt }
        return ForeignTime.text(own)
    }
    var notification: String? { properties.text("i") ?? commonNotification }

    /// The button of a tap, counted from 1; 0 is the notification itself.
    ///
    /// The client for iOS also sends 0 for a dismissal, so dismissals are counted as openings.
    var action: String? {
        guard name.hasPrefix("[CLY]") else { return commonAction }
        return properties.text("b").flatMap { $0 == "0" ? nil : $0 }
    }

    func device(_ source: DeviceSource) -> String? { source == .token ? nil : parameters.device }

    /// A device without a token says so with an empty one, when it lost the permission or failed to register.
    func kind(_ kind: String) -> String { hasLostToken ? "token_failed" : kind }

    private var hasLostToken: Bool { name == "[CLY]_token_session" && !parameters.hasToken }

    func describe(_ native: inout NativeEvent) {
        if hasLostToken { native.set(.reason, "no_token") }
        native.describe(.platform, platform)
        native.describe(.appVersion, parameters.appVersion)
        native.describe(.osVersion, parameters.osVersion)
        native.describe(.locale, parameters.locale)
        let own = event["tz"]
        let stated = own == nil ? parameters.offset : own?.number
        let offset = stated.flatMap { Int(exactly: $0) } ?? 0
        if offset != 0, offset.magnitude <= 14 * 60 { native.set(.utcOffsetMinutes, number: offset) }
    }

    func describeConversion(_ native: inout NativeEvent) {
        let sum = event["sum"].flatMap { $0.number == 0 ? nil : $0 }
        native.set(value: properties["revenue"] ?? properties["total"] ?? properties["value"] ?? sum)
        native.set(currency: properties.text("currency"))
    }

    private var platform: String? {
        switch properties.text("p") {
        case "i": return "ios"
        case "m": return "macos"
        case "a": return "android"
        case "w": return "web"
        default: return parameters.platform
        }
    }
}
