import AfterpushWire
import Foundation

extension DeviceEvent {
    /// What a collector takes of a typed text, in bytes of UTF-8.
    private static let longestText = 4 * 1024

    /// The event as it is posted, each time the same.
    ///
    /// - Parameter drops: events lost before this one, to be told with it: there is no event kind for them.
    func ingestEvent(
        id: UUID, at time: Timestamp, deviceID: String, details: DeviceDetails, drops: [DropReason: Int] = [:]
    ) -> IngestEvent {
        let receipt = notification?.receipt.flatMap(ReceiptText.init)
        var event = IngestEvent(
            eventID: id, kind: kind, notificationID: receipt?.notificationID ?? notification?.notificationID,
            // A receipt that names the device knows it best: the server made it for the device that it sent to.
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
        event.userText = userText.map { Self.fitting($0, &properties) }
        if !drops.isEmpty {
            properties["afterpush_dropped"] = .object(DropLedger.words(drops).mapValues { .number(Double($0)) })
        }
        if !properties.isEmpty { event.properties = properties }
        return event
    }

    /// The text as far as a collector takes it: a longer one would cost the whole event.
    private static func fitting(_ text: String, _ properties: inout [String: JSONValue]) -> String {
        // PostgreSQL can't hold this character.
        let scalars = text.unicodeScalars.filter { $0 != "\0" }
        guard text.utf8.count > longestText else { return String(scalars) }
        properties["user_text_bytes"] = .number(Double(text.utf8.count))
        var length = 0
        let fitting = scalars.prefix { scalar in
            length += UTF8.width(scalar)
            return length <= longestText
        }
        return String(Substring(fitting))
    }
}
