public import AfterpushWire
public import Foundation

extension NotificationReference {
    /// Reads a notification's payload.
    ///
    /// The notification is named by the receipt, else by the payload's `msgid` or `notification_id`. Of a local
    /// notification that has neither, it is the request and when it fired: a reminder that repeats is many notifications.
    /// Of any other, it is the request.
    ///
    /// | key of the payload | is |
    /// | --- | --- |
    /// | `afterpush` | the receipt |
    /// | `msgid` `notification_id` | the notification |
    /// | `campaign_id` `campaign` | the campaign |
    /// | `variant` `category_version` | the variant of it; the version of the category |
    /// | `category_id`, else `category` in `aps` | the category, unless `categoryID` names it |
    ///
    /// - Parameters:
    ///   - payload: as `userInfo` has it.
    ///   - request: the identifier of the request.
    ///   - trigger: what made the system show it.
    ///   - firedAt: when it was shown.
    public init(
        payload: [AnyHashable: Any], request: String, trigger: Trigger = .push, firedAt: Date? = nil,
        categoryID: String? = nil
    ) {
        func text(_ keys: String...) -> String? {
            keys.lazy.compactMap { Self.text(payload[$0]) }.first
        }
        let receipt = text("afterpush")
        let local = trigger.isLocal ? firedAt.map { "\(request)@\(Self.second(of: $0))" } : nil
        let named = receipt.flatMap(ReceiptText.init)?.notificationID ?? text("msgid", "notification_id")
        self.init(named ?? local ?? request, receipt: receipt, trigger: trigger)
        campaignID = text("campaign_id", "campaign")
        variant = text("variant")
        let aps = payload["aps"] as? [AnyHashable: Any]
        self.categoryID = Self.text(categoryID) ?? text("category_id") ?? Self.text(aps?["category"])
        categoryVersion = text("category_version").flatMap { Int32($0) }
    }

    /// Texts and numbers, which providers mix up; an empty text is none.
    private static func text(_ value: Any?) -> String? {
        if let text = value as? String { return text.isEmpty ? nil : text }
        return (value as? NSNumber)?.stringValue
    }

    private static func second(of date: Date) -> String {
        Timestamp(microseconds: Int64(date.timeIntervalSince1970.rounded(.down)) * 1_000_000).description
    }
}
