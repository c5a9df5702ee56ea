/// "One notification on one device: (app, `notification_id`, `device_id`)", with all its events.
struct Delivery {
    let events: [ModelEvent]
    let dimensions: Dimensions
    /// The dimensions that its verified events state.
    let verifiedDimensions: Dimensions
    /// Microseconds since the Unix epoch.
    let anchor: Int
    let notification: Identifier?
    let device: Identifier

    var anchorHour: Int { hourStart(anchor) }

    /// "By a random choice, this device was not sent the notification."
    var isHeldOut: Bool { events.contains { $0.kind == .held_out } }

    /// Expects at least one event.
    init(events: [ModelEvent]) {
        self.events = Self.limitingActions(events)
        dimensions = Dimensions(of: events)
        verifiedDimensions = Dimensions(of: events.filter(\.verified))
        anchor = Self.anchor(of: events)
        notification = events.first?.notificationID
        device = events.first?.deviceID ?? ""
    }

    /// "The anchor is the verified `sent`, else the receipt's issue time, else the earliest unverified event. No
    /// unverified event can change what verified ones say of a delivery."
    ///
    /// So unverified events have an anchor only without verified ones (decision D61). The first issued receipt counts if
    /// there are several (decision D28).
    private static func anchor(of events: [ModelEvent]) -> Int {
        let verified = events.filter(\.verified)
        let deciding = verified.isEmpty ? events : verified
        let sent = verified.filter { $0.kind == .sent }.map(\.occurredAt).min()
        return sent ?? deciding.compactMap(\.receipt?.issuedAt).min() ?? deciding.map(\.occurredAt).min() ?? 0
    }

    /// "The limit of 32 is counted apart for verified events; unverified ones past it count under `(other)`."
    private static func limitingActions(_ events: [ModelEvent]) -> [ModelEvent] {
        let unverified = events.filter { $0.kind.isAct && !$0.verified }.compactMap(\.actionIdentifier)
        let named = Set(Set(unverified).subtracting(["(other)"]).sorted().prefix(32))
        return events.map { event in
            guard let action = event.actionIdentifier, event.kind.isAct, !event.verified else { return event }
            var event = event
            event.countedAction = named.contains(action) ? action : "(other)"
            return event
        }
    }

    /// All deliveries of an app, in no particular order.
    ///
    /// - Parameter heldOut: whether those in state `held_out` are among them. They are "in no other count and no base".
    static func all(in events: [ModelEvent], of app: Identifier, heldOut: Bool = false) -> [Delivery] {
        var eventsByDelivery: [[Identifier]: [ModelEvent]] = [:]
        for event in stored(events) where event.app == app {
            guard !event.isAboutDeviceAlone, let notification = event.notificationID else { continue }
            eventsByDelivery[[notification, event.deviceID], default: []].append(event)
        }
        return eventsByDelivery.values.map { Delivery(events: $0) }.filter { heldOut || !$0.isHeldOut }
    }

    /// "The same identity again is a duplicate and adds nothing; if its content differs, the first stored stays." "A
    /// later copy of a stored event that has a valid receipt upgrades it."
    static func stored(_ events: [ModelEvent]) -> [ModelEvent] {
        let verified = Set(events.filter(\.verified).map { EventIdentity($0) })
        var stored: Set<EventIdentity> = []
        return events.filter { event in
            let identity = EventIdentity(event)
            guard event.verified || !verified.contains(identity) else { return false }
            return stored.insert(identity).inserted
        }
    }
}
