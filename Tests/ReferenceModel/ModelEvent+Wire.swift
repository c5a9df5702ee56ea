package import Foundation

extension ModelEvent {
    /// The event as contract.md's JSON object for `POST /v1/events`.
    package var wireObject: [String: ModelValue] {
        var object: [String: ModelValue] = [
            "event_id": .text(Identifier(eventID.uuidString)),
            "occurred_at": .text(Identifier(rfc3339(occurredAt))),
        ]
        if statesKind { object["kind"] = .text(Identifier(kind.rawValue)) }
        if statesIDs {
            object["notification_id"] = notificationID.map { .text($0) }
            object["device_id"] = .text(deviceID)
        }
        object["action_identifier"] = actionIdentifier.map { .text($0) }
        object["user_text"] = userText.map { .text(Identifier($0)) }
        object["campaign_id"] = campaign.map { .text($0) }
        object["variant"] = variant.map { .text($0) }
        object["category_id"] = category.map { .text($0) }
        object["category_version"] = categoryVersion.map { .int($0) }
        object["platform"] = platform.map { .text($0) }
        object["app_version"] = appVersion.map { .text($0) }
        object["os_version"] = osVersion.map { .text($0) }
        object["trigger"] = trigger.map { .text(Identifier($0)) }
        object["utc_offset_minutes"] = utcOffset.map { .int($0) }
        object["value"] = value.map { .double(Double($0) / 100) }
        object["currency"] = currency.map { .text($0) }
        switch kind {
        case .failed, .token_failed, .attachment_failed: object["reason"] = .text(reason ?? "Unregistered")
        case .converted: object["name"] = .text(name ?? "purchase")
        default: object["reason"] = reason.map { .text($0) }
        }
        return object
    }
}

/// An event as JSON.
package func json(_ event: ModelEvent) throws -> Data {
    try JSONEncoder().encode(event.wireObject)
}

/// The body of a request with the given events and their signed receipts.
package func json(_ request: [ModelEvent], receipts: [ModelReceipt: String] = [:]) throws -> Data {
    let objects = request.map { event in
        var object = event.wireObject
        object["receipt"] = event.receipt.flatMap { receipts[$0] }.map { .text(Identifier($0)) }
        return object
    }
    return try JSONEncoder().encode(["events": objects])
}
