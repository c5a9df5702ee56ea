import AfterpushWire
import Foundation

extension Event {
    /// Believes an event, or throws the first reason not to.
    init(_ fields: EventFields, _ clock: ClockCorrection, _ context: ValidationContext) throws(Refusal) {
        appID = context.appID
        eventID = try fields.eventID()
        deviceTime = try fields.occurredAt()
        occurredAt = clock.corrected(deviceTime)
        skewMilliseconds = clock.milliseconds
        try Self.check(occurredAt, context)

        actionIdentifier = try fields.text(.actionIdentifier)
        userText = try fields.text(.userText, limit: context.limits.userTextBytes)
        kind = try KindRule.kind(stated: fields.kind(), action: actionIdentifier, hasText: userText != nil)
        platform = try fields.word(.platform)
        details = try EventDetails.of(fields)
        try Self.check(kind, details?.trigger, context.scope)

        let receipt = try Receipted(fields, kind, at: occurredAt, context)
        verified = receipt.isVerified
        receiptIssuedAt = receipt.claims?.issuedAt
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

    private static func check(_ time: Timestamp, _ context: ValidationContext) throws(Refusal) {
        if time.microseconds - context.receivedAt.microseconds > context.limits.futureMicroseconds {
            throw Refusal(.occurredAtOutOfRange, "occurred_at is too far ahead of the collector's clock")
        }
        if time < context.limits.oldest ?? .earliest || time < .earliest {
            throw Refusal(.occurredAtOutOfRange, "occurred_at is older than what is still taken")
        }
    }

    private static func check(_ kind: EventKind, _ trigger: Trigger?, _ scope: Scope) throws(Refusal) {
        guard kind == .sent || kind == .failed, !scope.allows(.send), trigger?.isLocal != true else { return }
        throw Refusal(.scopeInsufficient, "kind \(kind.rawValue) needs a key of scope send, or a local trigger")
    }
}
