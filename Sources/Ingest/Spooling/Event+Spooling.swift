import AfterpushWire
import Foundation

extension Event {
    /// Reads an event that was believed when it was written.
    init(_ reader: inout EntryReader, appID: Int32) throws(SpoolEntryError) {
        self.appID = appID
        deliveryID = try reader.id()
        eventID = try reader.id()
        kind = try reader.word()
        actionIdentifier = try reader.optionalText()
        userText = try reader.optionalText()
        notificationID = try reader.optionalText()
        deviceID = try reader.text()
        deviceTime = try reader.time()
        occurredAt = try reader.time()
        skewMilliseconds = try reader.optional { reader throws(SpoolEntryError) in try reader.number() }
        campaignID = try reader.optionalText()
        variant = try reader.optionalText()
        categoryID = try reader.optionalText()
        categoryVersion = try reader.optional { reader throws(SpoolEntryError) in try reader.number() }
        platform = try reader.optionalWord()
        verified = try reader.flag()
        receiptIssuedAt = try reader.optional { reader throws(SpoolEntryError) in try reader.time() }
        details = try reader.optional { reader throws(SpoolEntryError) in try EventDetails(&reader) }
    }

    func write(to writer: inout EntryWriter) {
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
