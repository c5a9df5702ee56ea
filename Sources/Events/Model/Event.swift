package import AfterpushWire
package import Foundation

/// A validated event. Only the validating initialiser makes one, and later code does not check it again.
///
/// A class, since an event is sorted, grouped and read column by column: copying a value of a dozen texts each time took
/// more than all the rest. What is rarely stated is grouped in `details`.
package final class Event: Sendable {
    package let appID: Int32
    /// What it happened to: (app, notification, device), or (app, device) for a kind about the device alone.
    package let deliveryID: UUID
    package let eventID: UUID
    package let kind: EventKind
    /// As the platform gave it.
    package let actionIdentifier: String?
    /// What the person typed; for `replies` alone.
    package let userText: String?
    /// The length of the text in bytes of UTF-8, also where only that is left of it.
    package let textLength: Int32?
    /// Never nil unless the kind is about the device alone.
    package let notificationID: String?
    package let deviceID: String
    /// By the device's clock, as sent.
    package let deviceTime: Timestamp
    /// Corrected by how far the device's clock was off when it sent.
    package let occurredAt: Timestamp
    /// What was added to `deviceTime`; 0 for less than a minute, nil if the request does not state `sent_at`.
    package let skewMilliseconds: Int64?
    package let campaignID: String?
    package let variant: String?
    package let categoryID: String?
    package let categoryVersion: Int32?
    package let platform: Platform?
    /// Whether a receipt bound to the device, or the key of a server, vouches for it.
    package let verified: Bool
    package let receiptIssuedAt: Timestamp?
    /// Nil if nothing of it was stated.
    package let details: EventDetails?

    /// Believes an event, or throws the first reason not to.
    init(_ fields: EventFields, _ clock: ClockCorrection, _ context: ValidationContext) throws(EventValidationError) {
        appID = context.appID
        eventID = try fields.eventID()
        deviceTime = try fields.occurredAt()
        let exported = try ExportedFields(fields)
        occurredAt = exported?.correctedAt ?? clock.corrected(deviceTime)
        skewMilliseconds = exported.map(\.skewMilliseconds) ?? clock.milliseconds
        try Self.check(occurredAt, context)

        actionIdentifier = try fields.text(.actionIdentifier)
        userText = try fields.text(.userText, limit: context.limits.userTextBytes)
        textLength = exported?.textLength ?? userText.map { Int32($0.utf8.count) }
        kind = try KindRule.kind(stated: fields.kind(), action: actionIdentifier, hasText: userText != nil)
        platform = try fields.word(.platform)
        details = try EventDetails.of(fields)
        try Self.check(kind, details?.trigger, context.scope)

        let receipt = try ReceiptEvidence(fields, kind, at: occurredAt, context)
        verified = exported?.isVerified ?? receipt.isVerified
        receiptIssuedAt = exported.map(\.receiptIssuedAt) ?? receipt.claims?.issuedAt
        let names = try DeliveryNames(fields, kind, receipt.claims)
        notificationID = names.notificationID
        deviceID = names.deviceID
        deliveryID = names.id(kind, appID: appID)

        var attribution = try Attribution(fields)
        if let claims = receipt.claims { attribution.override(with: claims) }
        campaignID = attribution.campaignID
        variant = attribution.variant
        categoryID = attribution.categoryID
        categoryVersion = attribution.categoryVersion
    }

    /// Reads an event that was believed when it was written.
    package init(_ reader: inout BinaryReader, appID: Int32) throws(BinaryFormatError) {
        self.appID = appID
        deliveryID = try reader.id()
        eventID = try reader.id()
        kind = try reader.word()
        actionIdentifier = try reader.optionalText()
        userText = try reader.optionalText()
        textLength = userText.map { Int32($0.utf8.count) }
        notificationID = try reader.optionalText()
        deviceID = try reader.text()
        deviceTime = try reader.time()
        occurredAt = try reader.time()
        skewMilliseconds = try reader.optional { reader throws(BinaryFormatError) in try reader.number() }
        campaignID = try reader.optionalText()
        variant = try reader.optionalText()
        categoryID = try reader.optionalText()
        categoryVersion = try reader.optional { reader throws(BinaryFormatError) in try reader.number() }
        platform = try reader.optionalWord()
        verified = try reader.flag()
        receiptIssuedAt = try reader.optional { reader throws(BinaryFormatError) in try reader.time() }
        details = try reader.optional { reader throws(BinaryFormatError) in try EventDetails(&reader) }
    }
}
