import AfterpushWire
import Foundation

/// An event about another person's delivery, posted by a person who has only the app's ingest key.
struct Forgery: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        /// The receipt was signed with another secret.
        case signedByAnother
        /// The receipt is the delivery's own, but the event names the forger's device.
        case ofAnotherDevice
        /// The receipt has expired.
        case expired
        /// The event has no receipt. The collector accepts it, but it is never verified.
        case unsigned
        /// The request has an invalid key.
        case withoutKey
    }

    let kind: Kind
    let event: IngestEvent

    /// The code with which the collector rejects the event, or nil if it accepts the event or refuses the request.
    var rejection: String? {
        switch kind {
        case .signedByAnother: "receipt_invalid"
        case .ofAnotherDevice: "receipt_mismatch"
        case .expired: "receipt_expired"
        case .unsigned, .withoutKey: nil
        }
    }

    /// Creates a forgery. Returns nil if it needs a receipt but the app signs none.
    ///
    /// - Parameter tap: The event that the forger claims.
    init?(
        _ kind: Kind, _ tap: SimulatedEvent, of victim: SimulatedDelivery, by forger: String, _ signer: ReceiptSigner?,
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
            guard let receipt = signer?.receipt(of: victim) else { return nil }
            event.receipt = receipt
            event.deviceID = forger
        case .expired:
            let day = -86_400.0
            let receipt = signer?.receipt(
                of: victim, issuedAt: tap.time.advanced(by: 60 * day), expiresAt: tap.time.advanced(by: 30 * day))
            guard let receipt else { return nil }
            event.receipt = receipt
        case .unsigned, .withoutKey: break
        }
        self.kind = kind
        self.event = event
    }
}

/// A person who posts events that did not happen: one of each kind of forgery, each for another person's delivery.
struct Forger {
    let device: SimulatedDevice
    let signer: ReceiptSigner?
    var random: RandomSource

    /// Forges events of the fleet's deliveries.
    ///
    /// - Parameters:
    ///   - end: The end of the plan.
    ///   - claimed: Called with each event that the collector accepts, and the position of its delivery.
    mutating func forge(
        _ deliveries: [SimulatedDelivery], until end: Timestamp,
        claimed: (_ delivery: Int, _ event: SimulatedEvent) -> Void
    ) -> [Forgery] {
        var forgeries: [Forgery] = []
        for kind in Forgery.Kind.allCases {
            guard let victim = victim(among: deliveries, until: end) else { continue }
            let delivery = deliveries[victim]
            let sentAt = delivery.send.time
            let time = sentAt.advanced(by: random.number(in: 30..<sentAt.seconds(until: end)))
            let tap = Self.tap(delivery.campaign, at: time)
            let id = random.uuid(at: time)
            guard let forgery = Forgery(kind, tap, of: delivery, by: device.id, signer, id) else { continue }
            forgeries.append(forgery)
            if kind == .unsigned { claimed(victim, tap) }
        }
        return forgeries
    }

    /// Returns a delivery to another device that was sent more than a minute before the end.
    private mutating func victim(among deliveries: [SimulatedDelivery], until end: Timestamp) -> Int? {
        for _ in 0..<20 where !deliveries.isEmpty {
            let index = Int.random(in: 0..<deliveries.count, using: &random)
            let delivery = deliveries[index]
            let isOld = delivery.send.time.seconds(until: end) > 60
            if delivery.send.kind == .sent, isOld, delivery.device.id != device.id { return index }
        }
        return nil
    }

    /// Returns the most valuable event: a tap on the goal's button, or on the notification if the goal is no button.
    private static func tap(_ campaign: PlannedCampaign, at time: Timestamp) -> SimulatedEvent {
        let buttons = campaign.variants.flatMap(\.actions).map(\.id)
        guard let goal = campaign.goals.first(where: buttons.contains) else { return SimulatedEvent(.opened, time) }
        var tap = SimulatedEvent(.action, time)
        tap.action = goal
        return tap
    }
}
