package import AfterpushWire

/// Believes the receipts of one app, or doesn't.
package protocol ReceiptVerifier: Sendable {
    /// The claims of a receipt of the app that had not expired at the event's corrected time.
    func verify(_ receipt: String, at time: Timestamp) throws(ReceiptError) -> ReceiptClaims
}
