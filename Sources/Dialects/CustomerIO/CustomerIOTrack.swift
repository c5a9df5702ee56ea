import Foundation
import JSON

/// Customer.io's Track API: events of a person, and what an app reports of a message by hand.
package enum CustomerIOTrack: Dialect {
    package static let family = DialectFamily.customerio
    package static let routes = [
        DialectRoute("POST", "/push/events"), DialectRoute("POST", "/api/v1/push/events"),
        DialectRoute("POST", "/api/v1/metrics"), DialectRoute("POST", "/api/v1/customers/{id}/events"),
        DialectRoute("POST", "/api/v1/events"), DialectRoute("PUT", "/api/v1/customers/{id}/devices"),
        // A person's attributes, and the removal of a person or a device, which says nothing of notifications.
        DialectRoute("PUT", "/api/v1/customers/{id}", .sideCall),
        DialectRoute("DELETE", "/api/v1/customers/{id}", .sideCall),
        DialectRoute("DELETE", "/api/v1/customers/{id}/devices/{device}", .sideCall),
    ]

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody { try .hook(request) }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        let parts = request.path.split(separator: "/")
        let isOfPerson = parts.count == 5 && parts[2] == "customers"
        // The name is that of all events, so a long one is hashed once.
        let person = isOfPerson ? DeviceName.stored(parts[3].removingPercentEncoding ?? String(parts[3])) : nil
        return body.read { index, event, submission in
            switch parts.last {
            case "devices": readDevice(event, index, person, settings, into: &submission)
            case "events" where parts.first == "api" && parts.count != 4:
                readEvent(event, index, person, settings, into: &submission)
            default: CustomerIOEventReader(report: event, index: index, settings).read(into: &submission)
            }
        }
    }

    /// Reads an event of a person, which has a name of the app's choice.
    private static func readEvent(
        _ event: JSONObject, _ index: Int, _ person: String?, _ settings: DialectSettings,
        into submission: inout DialectSubmission
    ) {
        let type = event["type"]?.text?.lowercased() ?? ""
        let isPage = ["page", "screen"].contains(type)
        // The name of a page is its address, which is not kept.
        let name = isPage ? type : event["name"]?.text ?? ""
        let data = event["data"]?.object ?? .empty
        let foreign = ForeignEvent(
            family, event, index: index, name: name, id: event["id"]?.text,
            afterpush: data["afterpush"] ?? event["afterpush"], settings)
        if isPage, !foreign.isMapped {
            return foreign.ignore(.otherType, in: &submission)
        }
        let meaning = EventNames.meaning(of: name)
        var native = foreign.native("")
        switch meaning {
        case .kind(let kind): native.set(.kind, kind)
        case .tap: TapAction.set(data.text("action_identifier", "action_id", "action"), of: &native)
        case .uninstalled:
            native.set(.kind, "token_failed")
            native.set(.reason, "uninstalled")
        case .metric, nil:
            if !foreign.isMapped { return foreign.ignore(.unknownName, in: &submission) }
        }
        native.set(.occurredAt, ForeignTime.text(event["timestamp"]))
        native.describe(.campaignID, data.text("campaign_id", "broadcast_id", "newsletter_id"))
        native.describe(.variant, data.text("variant", "variation_id"))
        native.describe(.platform, ForeignPlatform.word(data.text("platform", "device_platform")))
        if native.kind == "failed" { native.describe(.reason, data.text("reason", "failure_message") ?? "unknown") }
        if native.kind == "converted" {
            native.describe(.name, name)
            native.set(value: data["revenue"] ?? data["total"] ?? data["value"])
            native.set(currency: data["currency"]?.text)
            native.keep("order_id", data["order_id"])
        }
        let device = settings.device(
            id: data["device_id"]?.text, token: data["recipient"]?.text, anonymous: event["anonymous_id"]?.text,
            user: person)
        foreign.add(
            native, notification: data.text("notification_id", "delivery_id", "deliveryId"), device: device,
            to: &submission)
    }

    /// Reads the push token that an app registers for a person.
    private static func readDevice(
        _ event: JSONObject, _ index: Int, _ person: String?, _ settings: DialectSettings,
        into submission: inout DialectSubmission
    ) {
        let device = event["device"]?.object ?? .empty
        let foreign = ForeignEvent(
            family, event, index: index, name: "device", id: nil, afterpush: event["afterpush"], settings)
        var native = foreign.native("token_registered")
        native.set(.occurredAt, ForeignTime.text(device["last_used"]))
        native.describe(.platform, ForeignPlatform.word(device["platform"]?.text))
        let name = settings.device(token: device["id"]?.text, user: person)
        foreign.add(native, notification: nil, device: name, to: &submission)
    }
}
