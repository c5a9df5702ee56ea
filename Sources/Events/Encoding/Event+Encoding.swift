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
        writer.write(EventEvidence(self).rawValue)
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

/// What vouches for an event, as one byte: whether it is verified, and the names that the server vouches for.
struct EventEvidence: RawRepresentable {
    let rawValue: UInt8

    init?(rawValue: UInt8) {
        guard NameKinds.all.contains(NameKinds(rawValue: rawValue >> 1)) else { return nil }
        self.rawValue = rawValue
    }

    init(_ event: Event) {
        rawValue = event.serverNames.rawValue << 1 | (event.verified ? 1 : 0)
    }

    var isVerified: Bool { rawValue & 1 == 1 }

    var serverNames: NameKinds { NameKinds(rawValue: rawValue >> 1) }
}
