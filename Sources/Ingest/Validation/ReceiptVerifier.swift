package import AfterpushWire

/// Believes receipts or doesn't.
package protocol ReceiptVerifier: Sendable {
    /// The claims of a receipt that was issued for the app and had not expired at the event's corrected time.
    func verify(_ receipt: String, appID: Int32, at time: Timestamp) throws(ReceiptError) -> ReceiptClaims
}
