public import AfterpushWire
public import Foundation

/// The notification that an event is about, with what is known of its campaign and category.
///
/// `AfterpushNotifications` creates one from a `UNNotification`:
///
/// ```swift
/// let reference = NotificationReference(response.notification)
/// ```
///
/// It is `Codable`, so an app can keep it until the person reaches the goal of the notification.
public struct NotificationReference: Sendable, Hashable, Codable {
    /// The id of the notification. Optional if the receipt states it.
    public var notificationID: String?
    /// The signed receipt from the payload. It states the notification, and the device if the server named it.
    public var receipt: String?
    /// The id of the campaign.
    public var campaignID: String?
    /// The variant of the campaign.
    public var variant: String?
    /// The identifier of the category.
    public var categoryID: String?
    /// The version of the category. If it is nil, the client states the version that this device has registered.
    public var categoryVersion: Int32?
    /// The trigger that made the system show the notification.
    public var trigger: Trigger?

    /// Creates a reference from values that the app knows.
    public init(
        _ notificationID: String?, receipt: String? = nil, campaignID: String? = nil, variant: String? = nil,
        categoryID: String? = nil, categoryVersion: Int32? = nil, trigger: Trigger? = nil
    ) {
        self.notificationID = notificationID
        self.receipt = receipt
        self.campaignID = campaignID
        self.variant = variant
        self.categoryID = categoryID
        self.categoryVersion = categoryVersion
        self.trigger = trigger
    }

    /// Creates a reference from a notification's payload.
    ///
    /// | property | keys of the payload, in order of precedence |
    /// | --- | --- |
    /// | ``notificationID`` | the receipt, `msgid`, `notification_id` |
    /// | ``receipt`` | `afterpush` |
    /// | ``campaignID`` | `campaign_id`, `campaign` |
    /// | ``variant`` | `variant` |
    /// | ``categoryID`` | the parameter `categoryID`, `category_id`, `category` in `aps` |
    /// | ``categoryVersion`` | `category_version` |
    ///
    /// If the payload does not name the notification, the request's identifier does. For a local notification, the time
    /// at which it fired is added, since a reminder that repeats is a new notification each time.
    ///
    /// - Parameters:
    ///   - payload: The payload, as `userInfo` has it.
    ///   - requestIdentifier: The identifier of the notification request.
    ///   - trigger: The trigger that made the system show the notification.
    ///   - firedAt: When the notification was shown.
    public init(
        payload: [AnyHashable: Any], requestIdentifier: String, trigger: Trigger = .push, firedAt: Date? = nil,
        categoryID: String? = nil
    ) {
        func text(_ keys: String...) -> String? {
            keys.lazy.compactMap { Self.text(payload[$0]) }.first
        }
        let receipt = text("afterpush")
        let stated = receipt.flatMap(UnverifiedReceipt.init)?.notificationID ?? text("msgid", "notification_id")
        let local = trigger.isLocal ? firedAt.map { "\(requestIdentifier)@\(Self.second(of: $0))" } : nil
        self.init(stated ?? local ?? requestIdentifier, receipt: receipt, trigger: trigger)
        campaignID = text("campaign_id", "campaign")
        variant = text("variant")
        let aps = payload["aps"] as? [AnyHashable: Any]
        self.categoryID = Self.text(categoryID) ?? text("category_id") ?? Self.text(aps?["category"])
        categoryVersion = text("category_version").flatMap { Int32($0) }
    }

    /// Returns a string or a number as text, because providers mix them up. An empty string counts as absent.
    private static func text(_ value: Any?) -> String? {
        if let text = value as? String { return text.isEmpty ? nil : text }
        return (value as? NSNumber)?.stringValue
    }

    private static func second(of date: Date) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        // A date can be any number of seconds, infinite or none at all.
        let (first, last) = (Timestamp.earliest.microseconds / 1_000_000, Timestamp.latest.microseconds / 1_000_000)
        guard (Double(first)...Double(last)).contains(seconds) else { return String(seconds) }
        return Timestamp(microseconds: Int64(seconds) * 1_000_000).description
    }
}
