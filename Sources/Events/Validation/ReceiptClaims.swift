package import AfterpushWire

/// What a receipt says, once its signature is found to be right.
package struct ReceiptClaims: Sendable, Equatable {
    /// `iss`
    package var app: String
    /// `jti`
    package var notificationID: String
    /// `sub`; without it the receipt is good for any device.
    package var deviceID: String?
    /// `iat`
    package var issuedAt: Timestamp
    /// `exp`
    package var expiresAt: Timestamp
    /// `cmp`
    package var campaignID: String?
    /// `cat`
    package var categoryID: String?
    /// `ver`
    package var categoryVersion: Int32?
    /// `var`
    package var variant: String?

    package init(
        app: String, notificationID: String, deviceID: String? = nil, issuedAt: Timestamp, expiresAt: Timestamp,
        campaignID: String? = nil, categoryID: String? = nil, categoryVersion: Int32? = nil, variant: String? = nil
    ) {
        self.app = app
        self.notificationID = notificationID
        self.deviceID = deviceID
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.campaignID = campaignID
        self.categoryID = categoryID
        self.categoryVersion = categoryVersion
        self.variant = variant
    }
}
