import JSON

/// What the parameters of a request of Countly's clients say about all of its events, read once.
final class CountlyEnvelope: Sendable {
    /// The name of the device, as it is stored.
    let device: String?
    let occurredAt: String?
    /// The offset from UTC in minutes.
    let offset: Double?
    /// Whether the request states a push token. A device without one states an empty one.
    let hasToken: Bool
    let platform: String?
    let appVersion: String?
    let osVersion: String?
    let locale: String?

    init(_ parameters: JSONObject) {
        let metrics = parameters["metrics"]?.object ?? .empty
        device = DeviceName.stored(parameters.text("device_id"))
        occurredAt = ForeignTime.text(parameters["timestamp"])
        offset = parameters["tz"]?.number
        hasToken = parameters.all.contains { member in
            member.name.utf8.suffix(6).elementsEqual("_token".utf8) && member.value.text != nil
        }
        platform = Self.platform(parameters, metrics)
        appVersion = metrics.text("_app_version") ?? parameters.text("av")
        osVersion = metrics.text("_os_version")
        locale = metrics.text("_locale")
    }

    private static func platform(_ parameters: JSONObject, _ metrics: JSONObject) -> String? {
        if parameters["ios_token"] != nil { return "ios" }
        if parameters["android_token"] != nil { return "android" }
        // Such as `java-native-android` or `javascript_native_web`.
        let library = parameters.text("sdk_name")?.split { $0 == "-" || $0 == "_" }.last.map(String.init)
        return ForeignPlatform.word(metrics.text("_os")) ?? ForeignPlatform.word(library)
    }
}
