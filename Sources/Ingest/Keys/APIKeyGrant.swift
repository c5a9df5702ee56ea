package import Events

/// What a key that was shown stands for.
package struct APIKeyGrant: Sendable, Hashable {
    package let keyID: Int32
    package let appID: Int32
    package let appName: String
    package let scope: Scope
    /// Whether the app takes events of deliveries from its devices only with a receipt.
    package let requiresReceipt: Bool

    package init(keyID: Int32, appID: Int32, appName: String, scope: Scope, requiresReceipt: Bool = false) {
        self.keyID = keyID
        self.appID = appID
        self.appName = appName
        self.scope = scope
        self.requiresReceipt = requiresReceipt
    }
}
