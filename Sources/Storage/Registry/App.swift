package import Foundation
package import Receipts

/// A tenant: what keys, events and reports belong to.
package struct App: Sendable, Hashable {
    package let id: Int32
    package let name: String
    package let createdAt: Date
    package let receiptPolicy: ReceiptPolicy
}
