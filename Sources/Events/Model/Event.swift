package import AfterpushWire
package import Foundation

/// A validated event. Only the validating initializer creates one, and later code does not check it again.
///
/// It is a class because events are sorted, grouped and read column by column: copying a value with a dozen texts each
/// time took longer than all other work. Fields that are rarely present are in `details`.
package final class Event: Sendable {
    package let appID: Int32
    /// The identity of (app, notification, device), or of (app, device) for an event about the device alone.
    package let deliveryID: UUID
    package let eventID: UUID
    package let kind: EventKind
    /// The action's identifier as the platform reported it.
    package let actionIdentifier: String?
    /// The text that the person typed, stored only for `replies`.
    package let userText: String?
    /// The length of the text in bytes of UTF-8, which is known even if the text was removed.
    package let textLength: Int32?
    /// The ID of the notification; `nil` only for a kind about the device alone and for an outcome, which is a
    /// `converted` event that names none.
    package let notificationID: String?
    package let deviceID: String
    /// The time by the device's clock, as sent.
    package let deviceTime: Timestamp
    /// The time corrected by the error of the device's clock at the time of sending.
    package let occurredAt: Timestamp
    /// The correction added to `deviceTime`: 0 if below a minute, or `nil` if the request has no `sent_at`.
    package let skewMilliseconds: Int64?
    package let campaignID: String?
    package let variant: String?
    package let categoryID: String?
    package let categoryVersion: Int32?
    package let platform: Platform?
    /// Whether the event has a receipt bound to the device, unless it is a `sent`, or was sent with a server's key.
    package let verified: Bool
    package let receiptIssuedAt: Timestamp?
    /// The kinds of names that the server vouches for: all if it posted the event, else those in the receipt.
    package let serverNames: NameKinds
    /// The kinds of names that the event stated, but that are left out because they were past their limit.
    package let namesPastLimit: NameKinds
    /// The rarely present fields, or `nil` when the event has none of them.
    package let details: EventDetails?

    /// Validates an event; throws the first reason to reject it.
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
        serverNames = exported.map(\.serverNames) ?? receipt.serverNames
        namesPastLimit = exported?.namesPastLimit ?? []
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

    /// Reads an event that was validated before it was written.
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
        guard let evidence = EventEvidence(rawValue: try reader.number()) else { throw .malformed }
        verified = evidence.isVerified
        serverNames = evidence.serverNames
        namesPastLimit = []
        receiptIssuedAt = try reader.optional { reader throws(BinaryFormatError) in try reader.time() }
        details = try reader.optional { reader throws(BinaryFormatError) in try EventDetails(&reader) }
    }

    /// Copies an event without its names of some kinds, which are past their limit.
    init(_ event: Event, without kinds: NameKinds) {
        appID = event.appID
        deliveryID = event.deliveryID
        eventID = event.eventID
        kind = event.kind
        actionIdentifier = kinds.contains(NameKinds(.action)) ? Self.otherAction : event.actionIdentifier
        userText = event.userText
        textLength = event.textLength
        notificationID = event.notificationID
        deviceID = event.deviceID
        deviceTime = event.deviceTime
        occurredAt = event.occurredAt
        skewMilliseconds = event.skewMilliseconds
        campaignID = kinds.contains(NameKinds(.campaign)) ? nil : event.campaignID
        variant = kinds.contains(NameKinds(.variant)) ? nil : event.variant
        categoryID = kinds.contains(NameKinds(.category)) ? nil : event.categoryID
        categoryVersion = kinds.contains(NameKinds(.categoryVersion)) ? nil : event.categoryVersion
        platform = event.platform
        verified = event.verified
        receiptIssuedAt = event.receiptIssuedAt
        serverNames = event.serverNames
        namesPastLimit = event.namesPastLimit.union(kinds)
        details = kinds.contains(NameKinds(.appVersion)) ? event.details?.withoutAppVersion : event.details
    }
}

extension Event {
    static func check(_ time: Timestamp, _ context: ValidationContext) throws(EventValidationError) {
        if time.microseconds - context.receivedAt.microseconds > context.limits.futureMicroseconds {
            throw EventValidationError(.occurredAtOutOfRange, "occurred_at is too far ahead of the collector's clock")
        }
        if time < context.limits.oldest ?? .earliest || time < .earliest { throw .sealed }
        try context.suppressionList.check(time)
    }

    static func check(_ kind: EventKind, _ trigger: Trigger?, _ scope: Scope) throws(EventValidationError) {
        guard !scope.allows(.send) else { return }
        switch kind {
        case .heldOut:
            throw EventValidationError(.scopeInsufficient, "kind \(kind.rawValue) needs a key of scope send")
        case .sent, .failed:
            guard trigger?.isLocal != true else { return }
            throw EventValidationError(
                .scopeInsufficient, "kind \(kind.rawValue) needs a key of scope send, or a local trigger")
        default: return
        }
    }
}

extension Event {
    package var surface: String? { details?.surface }
    package var trigger: Trigger? { details?.trigger }
    package var appState: String? { details?.appState }
    package var appVersion: String? { details?.appVersion }
    package var osVersion: String? { details?.osVersion }
    package var locale: String? { details?.locale }
    package var utcOffsetMinutes: Int32? { details?.utcOffsetMinutes }
    package var dismissCause: String? { details?.dismissCause }
    package var handling: Handling? { details?.handling }
    package var reason: String? { details?.reason }
    package var name: String? { details?.name }
    package var value: String? { details?.value }
    package var currency: String? { details?.currency }
    package var properties: String? { details?.properties }
}
