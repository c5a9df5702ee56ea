/// "One notification on one device: (app, `notification_id`, `device_id`)", with all its events.
struct Delivery {
    let events: [ModelEvent]
    let dimensions: Dimensions
    /// Microseconds since the Unix epoch.
    let anchor: Int
    let notification: Identifier?
    let device: Identifier

    var anchorHour: Int { hourStart(anchor) }

    /// Expects at least one event.
    init(events: [ModelEvent]) {
        self.events = events
        dimensions = Dimensions(of: events)
        anchor = Self.anchor(of: events)
        notification = events.first?.notificationID
        device = events.first?.deviceID ?? ""
    }

    /// "Anchor: its `sent` time, else the receipt's issue time, else its earliest event."
    ///
    /// The first issued receipt counts if there are several (decision D28).
    private static func anchor(of events: [ModelEvent]) -> Int {
        let sent = events.filter { $0.kind == .sent }.map(\.occurredAt).min()
        return sent ?? events.compactMap(\.receipt?.issuedAt).min() ?? events.map(\.occurredAt).min() ?? 0
    }

    /// All deliveries of an app, in no particular order.
    static func all(in events: [ModelEvent], of app: Identifier) -> [Delivery] {
        var eventsByDelivery: [[Identifier]: [ModelEvent]] = [:]
        for event in stored(events) where event.app == app {
            guard !event.kind.isAboutDeviceAlone, let notification = event.notificationID else { continue }
            eventsByDelivery[[notification, event.deviceID], default: []].append(event)
        }
        return eventsByDelivery.values.map { Delivery(events: $0) }
    }

    /// "The same identity again is a duplicate and adds nothing; if its content differs, the first stored stays."
    static func stored(_ events: [ModelEvent]) -> [ModelEvent] {
        var stored: Set<EventIdentity> = []
        return events.filter { stored.insert(EventIdentity($0)).inserted }
    }
}
