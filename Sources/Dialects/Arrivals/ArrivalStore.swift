package import AfterpushWire
package import Events
package import Foundation

/// Remembers when events arrived first that state no time of their own.
package protocol ArrivalStore: Sendable {
    /// Returns the times of the events' first arrivals, by their claim IDs: those of `events` for events that are new.
    ///
    /// Requests at the same time, at any collector, get the same times.
    func times(of events: [TimelessEvent], app: Int32) async throws -> [UUID: Timestamp]
}

/// An event that states no time of its own, on its way into storage.
package struct TimelessEvent: Sendable {
    /// The time after which the same event, without an ID of its own, can be another one.
    private static let pause: Int64 = 600_000_000
    /// The time for which a repetition is looked for.
    private static let memory: Int64 = 7 * 86_400_000_000
    /// The longest time from the arrival of a request until its events are stored or it has failed.
    private static let storing: Int64 = 3_600_000_000

    /// The event's ID, which does not depend on its time.
    package let id: UUID
    /// The ID under which the time of the first arrival is remembered.
    ///
    /// It depends on what proves the event, a send key or a receipt, so that a copy without it does not decide on the
    /// event's time. Without proof it is the event's ID.
    package let claimID: UUID
    /// Whether the event is proven, so that only a verified one can be the same.
    package let isProven: Bool
    /// Whether the ID is that of the event's content, because the event has none.
    package let isOfContent: Bool
    /// The time that the event has if it did not arrive before.
    package let time: Timestamp
    /// The earliest arrival of the same event.
    package let since: Timestamp
    /// How long the time of the first arrival is kept apart from the stored event.
    package let claim: Duration
    /// The IDs that its delivery can have, depending on its kind.
    package let deliveryIDs: [UUID]

    /// Returns the event if it states no time of its own: if it has that of its arrival, or of the sending of the
    /// request, which changes when a request is repeated.
    ///
    /// - Parameters:
    ///   - isOfServer: Whether the request has a send key, which makes its events verified.
    ///   - arrival: `receivedAt` as the text that events without a time have.
    package init?(
        _ event: NativeEvent, sentAt: String?, _ family: DialectFamily, _ key: EventIDKey, app: Int32,
        isOfServer: Bool, receivedAt: Timestamp, arrival: String
    ) {
        guard let stated = event.text(.occurredAt), stated == arrival || stated == sentAt,
            let time = Timestamp(stated)
        else { return nil }
        self.time = time
        isOfContent = event.sourceID == nil && !event.has(.eventID)
        if let own = event.text(.eventID) {
            guard let id = UUID(uuidString: own) else { return nil }
            self.id = id
        } else {
            var content = event
            content.remove(.occurredAt)
            id = content.eventID(family, key)
        }
        let proof = isOfServer ? "send key" : event.text(.receipt)
        isProven = proof != nil
        let name = id.uuidString
        claimID = proof.map { key.id(of: Array("arrival \(name) \($0)".utf8)) } ?? id
        let names = event.deliveryNames
        let span = isOfContent && names.notification == nil ? Self.pause : Self.memory
        claim = .microseconds(min(span, Self.storing))
        since = Timestamp(microseconds: max(0, receivedAt.microseconds - span))
        guard let device = names.device else { return nil }
        deliveryIDs = Set([names.notification, nil]).map {
            DeliveryIdentity.id(appID: app, notificationID: $0, deviceID: device)
        }
    }
}
