/// Why a receipt is not believed.
package enum ReceiptError: Error, Sendable, Hashable {
    /// It is no receipt, or not of this app, or its signature is wrong.
    case invalid
    /// It was one, until before the event happened.
    case expired
}
