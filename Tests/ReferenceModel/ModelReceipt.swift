/// The receipt of an event.
package struct ModelReceipt: Hashable, Sendable {
    /// The kinds of forged receipts.
    package enum Forgery: Hashable, Sendable, CaseIterable {
        case strangersSecret
        case otherApp
        case cutShort
    }

    package var notificationID: Identifier
    /// Absent if the receipt is valid for any device.
    package var deviceID: Identifier?
    /// In microseconds since the Unix epoch, in whole seconds.
    package var issuedAt: Int
    package var expiresAt: Int
    package var campaign: Identifier?
    package var variant: Identifier?
    package var category: Identifier?
    package var categoryVersion: Int?
    package var forgery: Forgery?

    package init(notificationID: Identifier, deviceID: Identifier?, issuedAt: Int, expiresAt: Int) {
        self.notificationID = notificationID
        self.deviceID = deviceID
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}
