import AfterpushWire

extension Event {
    package func write(to writer: inout BinaryWriter) {
        writer.write(deliveryID)
        writer.write(eventID)
        writer.write(kind.rawValue)
        writer.write(actionIdentifier)
        writer.write(userText)
        writer.write(notificationID)
        writer.write(deviceID)
        writer.write(deviceTime)
        writer.write(occurredAt)
        writer.write(skewMilliseconds) { $0.write($1) }
        writer.write(campaignID)
        writer.write(variant)
        writer.write(categoryID)
        writer.write(categoryVersion) { $0.write($1) }
        writer.write(platform?.rawValue)
        writer.write(verified)
        writer.write(receiptIssuedAt) { $0.write($1) }
        writer.write(details) { $1.write(to: &$0) }
    }
}

extension EventDetails {
    package func write(to writer: inout BinaryWriter) {
        writer.write(surface)
        writer.write(trigger?.rawValue)
        writer.write(appState)
        writer.write(appVersion)
        writer.write(osVersion)
        writer.write(locale)
        writer.write(utcOffsetMinutes) { $0.write($1) }
        writer.write(dismissCause)
        writer.write(handling?.rawValue)
        writer.write(reason)
        writer.write(name)
        writer.write(value)
        writer.write(currency)
        writer.write(properties)
    }
}
