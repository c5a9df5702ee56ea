package import AfterpushWire
package import Events

/// What an app has declared of what a payload names, and what its receipts are held against.
package struct PayloadCheckContext: Sendable {
    package let app: String
    /// The newest version of the category that the payload names; nil if nobody declared it.
    package var category: (declaration: CategoryDeclaration, version: Int32)?
    /// The campaign that it names; nil if nobody declared it.
    package var campaign: CampaignDeclaration?
    /// Whether the app's devices must show a receipt.
    package var requiresReceipt = false
    package let verifier: any ReceiptVerifier
    package let now: Timestamp
    /// An id for a notification that has none.
    package let newID: String

    package init(app: String, verifier: any ReceiptVerifier, now: Timestamp, newID: String) {
        self.app = app
        self.verifier = verifier
        self.now = now
        self.newID = newID
    }
}
