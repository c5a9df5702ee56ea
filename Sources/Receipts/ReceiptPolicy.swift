/// Whether an app takes events of deliveries without a receipt from its devices.
package enum ReceiptPolicy: String, Sendable, Hashable, CaseIterable {
    case optional
    case required
}
