package import Events
import JSON

/// What a dialect made of a request: native events, and what it ignored.
package struct DialectSubmission: Sendable {
    /// The time of sending by the sender's clock, or `nil` if the request does not state one that can be trusted.
    package var sentAt: String?
    package var events: [NativeEvent] = []
    package var ignored: [IgnoredEvent] = []

    package init() {}

    /// Ignores an event.
    package mutating func ignore(_ index: Int, _ name: String, _ reason: IgnoredEvent.Reason) {
        ignored.append(IgnoredEvent(index: index, name: name, reason: reason))
    }

    /// Adds an event that has what every event needs, and otherwise ignores what it was derived from.
    package mutating func add(_ event: NativeEvent) {
        if !event.has(.kind), !event.has(.actionIdentifier) {
            // An object of native fields, or none, that doesn't say what an unknown event is.
            ignore(event.index, event.source, .unknownName)
        } else if !event.has(.notificationID), !event.receiptNames.notification, !event.canBeOfDevice {
            ignore(event.index, event.source, .noNotification)
        } else if !event.has(.deviceID), !event.receiptNames.device {
            ignore(event.index, event.source, .noDevice)
        } else {
            events.append(event)
        }
    }

    /// Moves the events that only a server can know of to the ignored ones, for a key that may not post them.
    ///
    /// A key in an app could otherwise make up what was sent; and refusing the request would cost its other events.
    package mutating func ignoreSends() {
        let (sends, others) = (events.filter(\.needsSendScope), events.filter { !$0.needsSendScope })
        for event in sends { ignore(event.index, event.source, .scopeInsufficient) }
        events = others
    }

    /// Returns the events as a body of `POST /v1/events`.
    ///
    /// - Parameters:
    ///   - key: The key of the app's event IDs that are derived from content.
    ///   - range: The positions of the events; `nil` for all.
    package func body(_ family: DialectFamily, _ key: EventIDKey, of range: Range<Int>? = nil) -> [UInt8] {
        let events = events[range ?? events.indices]
        var body: [UInt8] = []
        body.reserveCapacity(events.count * 512)
        body.append(UInt8(ascii: "{"))
        if let sentAt { body.append(contentsOf: "\"sent_at\":\(JSONText.string(sentAt)),".utf8) }
        body.append(contentsOf: "\"events\":[".utf8)
        for (place, event) in events.enumerated() {
            if place > 0 { body.append(UInt8(ascii: ",")) }
            event.append(to: &body, family, key)
        }
        body.append(contentsOf: "]}".utf8)
        return body
    }
}

/// An event that a dialect does not store, and why.
package struct IgnoredEvent: Sendable, Hashable {
    package enum Reason: String, Sendable, CaseIterable {
        /// The name means nothing here, and no mapping of the app names it.
        case unknownName = "unknown_name"
        /// The event can't be of a notification, such as a page view.
        case otherType = "other_type"
        case noNotification = "no_notification"
        case noDevice = "no_device"
        /// The key's scope does not allow what was sent.
        case scopeInsufficient = "scope_insufficient"
        /// The sender switched it off for this collector.
        case disabled
        /// The event is no JSON object.
        case malformed
    }

    package let index: Int
    package let name: String
    package let reason: Reason
}

extension NativeEvent {
    /// Whether the event needs no notification.
    fileprivate var canBeOfDevice: Bool { Self.kindsOfDevices.contains(kind ?? "") }

    private static let kindsOfDevices: Set<String> = [
        "token_registered", "token_failed", "permission_granted", "permission_revoked", "app_opened", "converted",
    ]

    fileprivate var needsSendScope: Bool {
        let isLocal = ["time_interval", "calendar", "location"].contains(text(.trigger) ?? "")
        return kind == "held_out" || ["sent", "failed"].contains(kind ?? "") && !isLocal
    }

    /// Which of its notification and device the event's receipt names. Its signature is checked later.
    package var receiptNames: (notification: Bool, device: Bool) {
        let claims = claims
        return (claims?["jti"]?.text != nil, claims?["sub"]?.text != nil)
    }

    /// The notification and the device that the event or its receipt names.
    var deliveryNames: (notification: String?, device: String?) {
        let (notification, device) = (text(.notificationID), text(.deviceID))
        if notification != nil, device != nil { return (notification, device) }
        let claims = claims
        return (notification ?? claims?["jti"]?.text, device ?? claims?["sub"]?.text)
    }

    /// What the event's receipt states.
    private var claims: JSONObject? {
        let parts = text(.receipt)?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        guard parts.count == 3, let payload = Base64Text.decode(String(parts[1])) else { return nil }
        return try? JSONElement(payload).object
    }
}
