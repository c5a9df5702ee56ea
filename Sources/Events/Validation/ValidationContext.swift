package import AfterpushWire

/// The circumstances under which the events of a request are validated.
package struct ValidationContext: Sendable {
    /// The key's app.
    package var appID: Int32
    /// The key's scope.
    package var scope: Scope
    /// The collector's clock when the request arrived.
    package var receivedAt: Timestamp
    /// The verifier of receipts; without one, every event with a receipt is rejected.
    package var verifier: (any ReceiptVerifier)?
    /// Whether the app accepts events of deliveries only with a receipt bound to the device, or from its server.
    package var requiresReceipt: Bool
    package var limits: Limits
    /// The devices and times whose events are rejected.
    package var suppressionList = SuppressionList()
    /// Whether the collector's own fields in rows of an export are accepted, which only imports may do.
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

/// The permissions of a key.
package enum Scope: String, Sendable, Hashable, CaseIterable {
    /// The permission to add events.
    case ingest
    /// The permission to add events that only the sending server can know of.
    case send
    /// The permission to read reports.
    case read
    /// The permission to change declarations, and all other permissions.
    case manage

    /// Whether a key of this scope has the permission of another scope.
    package func allows(_ other: Scope) -> Bool {
        self == other || self == .manage
    }
}
