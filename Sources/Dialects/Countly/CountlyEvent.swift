import JSON

/// One event of Countly, or what a parameter of the request says, such as the beginning of a session.
struct CountlyEvent: PropertyEvent {
    static let family = DialectFamily.countly

    let parts: PropertyEventParts
    /// The parameters of the request.
    private let parameters: JSONObject
    private let metrics: JSONObject

    init(_ event: JSONObject, _ parameters: JSONObject, _ index: Int, _ settings: DialectSettings) {
        parts = PropertyEventParts(
            event, name: event["key"]?.text, properties: event["segmentation"]?.object, index: index, settings)
        self.parameters = parameters
        metrics = parameters["metrics"]?.object ?? .empty
    }

    /// The client's own events, such as views and ratings.
    var isOtherType: Bool { name.hasPrefix("[CLY]") }
    var sourceID: String? { event["id"]?.text }
    var occurredAt: String? { ForeignTime.text(event["timestamp"] ?? parameters["timestamp"]) }
    var notification: String? { properties.text("i") ?? commonNotification }

    /// The button of a tap, counted from 1; 0 is the notification itself.
    ///
    /// The client for iOS also sends 0 for a dismissal, so dismissals are counted as openings.
    var action: String? {
        guard name.hasPrefix("[CLY]") else { return commonAction }
        return properties.text("b").flatMap { $0 == "0" ? nil : $0 }
    }

    func device(_ source: DeviceSource) -> String? { source == .token ? nil : parameters.text("device_id") }

    /// A device without a token says so with an empty one, when it lost the permission or failed to register.
    func kind(_ kind: String) -> String { hasLostToken ? "token_failed" : kind }

    private var hasLostToken: Bool {
        name == "[CLY]_token_session"
            && !parameters.all.contains { $0.name.hasSuffix("_token") && $0.value.text != nil }
    }

    func describe(_ native: inout NativeEvent) {
        if hasLostToken { native.set(.reason, "no_token") }
        native.describe(.platform, platform)
        native.describe(.appVersion, metrics.text("_app_version") ?? parameters.text("av"))
        native.describe(.osVersion, metrics.text("_os_version"))
        native.describe(.locale, metrics.text("_locale"))
        let offset = (event["tz"] ?? parameters["tz"])?.number.flatMap { Int(exactly: $0) } ?? 0
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
        default: break
        }
        if parameters["ios_token"] != nil { return "ios" }
        if parameters["android_token"] != nil { return "android" }
        // Such as `java-native-android` or `javascript_native_web`.
        let library = parameters.text("sdk_name")?.split { $0 == "-" || $0 == "_" }.last.map(String.init)
        return ForeignPlatform.word(metrics.text("_os")) ?? ForeignPlatform.word(library)
    }
}
