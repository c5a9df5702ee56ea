package import AfterpushWire

/// For how long what is said in receipts holds.
package enum ReceiptLifetime {
    /// How long a receipt is good after it was issued, if it does not say.
    package static let validity: Duration = .seconds(30 * 86_400)
    /// The longest that `POST /v1/receipts` makes a receipt good for.
    package static let longestValidity: Duration = .seconds(90 * 86_400)
    /// How long a rotated secret still verifies: the longest validity, and a month for devices that were offline.
    package static let overlap: Duration = .seconds(120 * 86_400)
    /// Secrets that verify at once, because a receipt may be tried with each.
    package static let secrets = 8

    package static func end(of issuedAt: Timestamp, after validity: Duration = validity) -> Timestamp {
        Timestamp(microseconds: issuedAt.microseconds + validity.components.seconds * 1_000_000)
    }
}
