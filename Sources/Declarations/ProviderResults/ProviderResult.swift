import AfterpushWire
import Events
import Foundation

/// A push provider's response to one send.
package struct ProviderResult: Sendable, Equatable {
    package enum Provider: String, Sendable {
        case apns, fcm, webpush, expo
    }

    let provider: Provider
    let notificationID: String?
    let deviceID: String?
    /// The provider's own text: an HTTP status or a word.
    let status: String
    let reason: String?
    let occurredAt: String?
    let campaignID: String?
    let categoryID: String?
    let variant: String?
    let platform: String?

    /// Whether the provider accepted the notification.
    package var isAccepted: Bool {
        if let number = Int(status) { return 200..<300 ~= number }
        return ["ok", "success", "sent", "accepted"].contains(status.lowercased())
    }

    /// Whether it says that the device's token is no longer valid.
    package var tokenIsGone: Bool {
        guard !isAccepted else { return false }
        let words = [reason, status].compactMap { $0?.lowercased().filter { $0.isLetter || $0.isNumber } }
        if words.contains(where: Self.goneWords.contains) { return true }
        return switch provider {
        case .apns: status == "410"
        case .fcm: status == "404"
        case .webpush: status == "404" || status == "410"
        // Expo says so in words only.
        case .expo: false
        }
    }

    /// Reasons of APNs and error codes of FCM and Expo, reduced to lowercase letters and digits.
    private static let goneWords: Set<String> = [
        "unregistered", "baddevicetoken", "expiredtoken", "devicetokennotfortopic", "notregistered",
        "invalidregistration", "senderidmismatch", "mismatchsenderid", "devicenotregistered",
    ]

    /// The event of the result: `sent` or `failed`.
    func event(_ key: EventIDKey) -> [String: String] { event(isAccepted ? "sent" : "failed", key) }

    /// The event `token_failed`, if the token is no longer valid.
    func lostToken(_ key: EventIDKey) -> [String: String]? { tokenIsGone ? event("token_failed", key) : nil }

    private func event(_ kind: String, _ key: EventIDKey) -> [String: String] {
        var event = ["event_id": identifier(of: kind, key), "kind": kind, "provider": provider.rawValue]
        event["notification_id"] = notificationID
        event["device_id"] = deviceID
        event["occurred_at"] = occurredAt
        event["campaign_id"] = campaignID
        event["category_id"] = categoryID
        event["variant"] = variant
        event["platform"] = platform
        if kind != "sent" { event["reason"] = reason ?? status }
        return event
    }

    /// A UUID derived from the content, so that a result posted twice is one event.
    private func identifier(of kind: String, _ key: EventIDKey) -> String {
        let parts = [
            provider.rawValue, notificationID ?? "", deviceID ?? "", status, reason ?? "", occurredAt ?? "",
            campaignID ?? "", categoryID ?? "", variant ?? "", platform ?? "", kind,
        ]
        return key.id(of: Array(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)).uuidString.lowercased()
    }
}
