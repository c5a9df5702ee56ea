package import AfterpushWire

/// What is known of a request besides its body.
package struct ValidationContext: Sendable {
    /// The key's app.
    package var appID: Int32
    /// The key's scope.
    package var scope: Scope
    /// The collector's clock when the request arrived.
    package var receivedAt: Timestamp
    /// Without one every event that has a receipt is rejected.
    package var verifier: (any ReceiptVerifier)?
    /// Whether the app takes events of deliveries only with a receipt, or from its server.
    package var requiresReceipt: Bool
    package var limits: Limits
    /// The devices and times whose events are refused.
    package var suppressionList = SuppressionList()
    /// Whether what a row of an export says of how it was received is believed: for imports alone.
    package var restoresExports = false

    package init(
        appID: Int32, scope: Scope, receivedAt: Timestamp, verifier: (any ReceiptVerifier)? = nil,
        requiresReceipt: Bool = false, limits: Limits = Limits()
    ) {
        self.appID = appID
        self.scope = scope
        self.receivedAt = receivedAt
        self.verifier = verifier
        self.requiresReceipt = requiresReceipt
        self.limits = limits
    }
}
