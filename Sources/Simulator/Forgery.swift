import AfterpushWire
import Foundation

/// An event about somebody else's delivery, by somebody who has the app's ingest key but nothing else.
struct Forgery: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        /// With a receipt that was signed with another secret.
        case signedByAnother
        /// With the delivery's own receipt, for a device of the forger's.
        case ofAnotherDevice
        /// With a receipt that was good once.
        case expired
        /// Without a receipt: it is taken, and never verified.
        case unsigned
        /// With a key that is none.
        case withoutKey
    }

    let kind: Kind
    let event: IngestEvent

    /// The reason for which the collector rejects it; nil if it takes the event, or does not look at it.
    var rejection: String? {
        switch kind {
        case .signedByAnother: "receipt_invalid"
        case .ofAnotherDevice: "receipt_mismatch"
        case .expired: "receipt_expired"
        case .unsigned, .withoutKey: nil
        }
    }

    /// Nil if it takes a receipt that there is none of.
    ///
    /// - Parameter tap: what is claimed to have happened.
    init?(
        _ kind: Kind, _ tap: SimulatedEvent, of victim: DeliveryStory, by forger: String, _ mint: ReceiptSigner?,
        _ id: UUID
    ) {
        var event = IngestEvent(
            eventID: id, kind: tap.kind, notificationID: victim.notificationID, deviceID: victim.device.id,
            occurredAt: tap.time)
        event.actionIdentifier = tap.action
        switch kind {
        case .signedByAnother:
            event.receipt = ReceiptSigner(app: "shop", secret: Data(repeating: 7, count: 32)).receipt(of: victim)
        case .ofAnotherDevice:
            guard let receipt = mint?.receipt(of: victim) else { return nil }
            event.receipt = receipt
            event.deviceID = forger
        case .expired:
            let day = -86_400.0
            let receipt = mint?.receipt(
                of: victim, issuedAt: tap.time.advanced(by: 60 * day), expiresAt: tap.time.advanced(by: 30 * day))
            guard let receipt else { return nil }
            event.receipt = receipt
        case .unsigned, .withoutKey: break
        }
        self.kind = kind
        self.event = event
    }
}
