import AfterpushWire
import Foundation

extension DeviceEvent {
    /// The collector's limit for a typed text, in bytes of UTF-8.
    private static let maximumTextBytes = 4 * 1024

    /// Returns the event as it is stored and sent.
    ///
    /// - Parameter drops: The number of events that were dropped before this one. It is added to the properties, because
    ///   no kind of event exists for it.
    func ingestEvent(
        id: UUID, at time: Timestamp, deviceID: String, details: DeviceDetails, drops: [DropReason: Int] = [:]
    ) -> IngestEvent {
        let receipt = notification?.receipt.flatMap(UnverifiedReceipt.init)
        var event = IngestEvent(
            eventID: id, kind: kind, notificationID: receipt?.notificationID ?? notification?.notificationID,
            // The server issued the receipt for the device that it sent to, so the receipt's device id takes precedence.
            deviceID: receipt?.deviceID == nil ? deviceID : nil, occurredAt: time)
        event.actionIdentifier = actionIdentifier
        event.campaignID = notification?.campaignID
        event.variant = notification?.variant
        event.categoryID = notification?.categoryID
        event.categoryVersion = notification?.categoryVersion
        event.receipt = notification?.receipt
        event.trigger = notification?.trigger
        event.surface = surface
        event.appState = appState
        event.dismissCause = dismissCause
        event.handling = handling
        event.reason = reason
        event.name = name
        event.value = value
        event.currency = currency
        event.platform = details.platform
        event.appVersion = details.appVersion
        event.osVersion = details.osVersion
        event.locale = details.locale
        event.utcOffsetMinutes = details.utcOffsetMinutes
        var properties = properties
        event.userText = userText.map { Self.truncated($0, &properties) }
        if !drops.isEmpty {
            properties["afterpush_dropped"] = .object(DropCounter.names(drops).mapValues { .number(Double($0)) })
        }
        if !properties.isEmpty { event.properties = properties }
        return event
    }

    /// Returns as much of the text as the collector accepts: it would reject an event with a longer text.
    private static func truncated(_ text: String, _ properties: inout [String: JSONValue]) -> String {
        // PostgreSQL can't store this character.
        let scalars = text.unicodeScalars.filter { $0 != "\0" }
        guard text.utf8.count > maximumTextBytes else { return String(scalars) }
        properties["user_text_bytes"] = .number(Double(text.utf8.count))
        var length = 0
        let prefix = scalars.prefix { scalar in
            length += UTF8.width(scalar)
            return length <= maximumTextBytes
        }
        return String(Substring(prefix))
    }
}
