public import AfterpushWire

/// Which notification an event is about, and what is known of it.
public struct NotificationReference: Sendable, Hashable, Codable {
    /// Nil only if the receipt states it.
    public var notificationID: String?
    /// The signed receipt from the payload, which states the notification, and perhaps the device.
    public var receipt: String?
    public var campaignID: String?
    public var variant: String?
    public var categoryID: String?
    public var categoryVersion: Int32?
    public var trigger: Trigger?

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
}
