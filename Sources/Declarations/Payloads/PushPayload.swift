/// A payload of APNs, FCM or web push.
package struct PushPayload: Sendable {
    package enum Provider: String, Sendable {
        case apns, fcm, webpush
    }

    /// The provider that the payload is for, or `nil` if it fits none of them.
    let provider: Provider?
    var root: PayloadValue
    /// The path of the message in an FCM payload.
    private let message: [String]

    package init(_ body: [UInt8]) throws(DeclarationError) {
        root = try PayloadValue(body: body)
        provider = Self.provider(of: root)
        message = provider == .fcm && root["message"]?.isObject == true ? ["message"] : []
    }

    /// The places of an app's own keys: the first for all platforms, then those that override it on one platform.
    var customPaths: [[String]] {
        guard provider == .fcm else { return [[]] }
        let parts = ["android", "webpush"].map { message + [$0, "data"] }
        return [message + ["data"]] + parts.filter { root[$0]?.isObject == true }
    }

    /// The `aps` object that Apple's devices get.
    var aps: PayloadValue? {
        switch provider {
        case .apns: root["aps"]
        case .fcm: root[message + ["apns", "payload", "aps"]]
        case .webpush, nil: nil
        }
    }

    var isForApple: Bool { provider == .apns || aps != nil }
    var isForAndroid: Bool { provider == .fcm }
    var isForWeb: Bool { provider == .webpush }

    /// Whether Android shows the notification itself, without running the app in the background.
    var isShownByAndroid: Bool {
        isForAndroid && (root[message + ["notification"]] != nil || root[message + ["android", "notification"]] != nil)
    }

    /// Whether it only wakes the app.
    var isBackground: Bool {
        guard let aps else { return false }
        return aps["content-available"]?.isOn == true && aps["alert"] == nil && aps["sound"] == nil
            && aps["badge"] == nil
    }

    /// Returns the first of the app's own keys that is present.
    func customValue(_ names: String...) -> (name: String, value: PayloadValue)? {
        let more = [message + ["apns", "payload"], ["data"], ["notification", "data"]]
        for place in customPaths + (provider == .apns ? [] : more) {
            for name in names {
                if let value = root[place + [name]] { return (name, value) }
            }
        }
        return nil
    }

    /// The category that the payload names.
    var category: (name: String, value: PayloadValue)? {
        if let value = aps?["category"] { return ("aps.category", value) }
        return customValue("category_id")
    }

    /// The actions that a web page's notification offers.
    var webActions: [String] {
        guard isForWeb, case .array(let actions)? = root["actions"] ?? root[["notification", "actions"]] else {
            return []
        }
        return actions.compactMap { $0["action"]?.text }
    }

    /// The number of bytes that the provider counts.
    var size: Int {
        guard isForAndroid, case .object(let members)? = root[message] else { return root.json.count }
        let address = ["token", "topic", "condition", "to", "registration_ids", "fcm_options"]
        let counted = members.filter { member in !address.contains { member.isNamed($0) } }
        return PayloadValue.object(counted).json.count
    }

    /// The provider's limit in bytes; for web push without the bytes that encryption adds (RFC 8291).
    var sizeLimit: Int { isForWeb ? 4_096 - 103 : 4_096 }

    private static func provider(of root: PayloadValue) -> Provider? {
        if root["aps"]?.isObject == true { return .apns }
        if let message = root["message"], message.isObject {
            let isWhole = isMessage(message) || message["data"] != nil || message["notification"] != nil
            if isWhole { return .fcm }
        }
        if isMessage(root), root["web_push"] == nil { return .fcm }
        if root["web_push"] != nil || root["title"]?.text != nil || root[["notification", "title"]]?.text != nil {
            return .webpush
        }
        return nil
    }

    /// Whether it has keys that only FCM has: an address, or a part for one platform.
    private static func isMessage(_ value: PayloadValue) -> Bool {
        ["token", "topic", "condition", "to"].contains { value[$0]?.text != nil }
            || ["android", "apns", "webpush"].contains { value[$0]?.isObject == true }
            || value["registration_ids"] != nil
    }
}
