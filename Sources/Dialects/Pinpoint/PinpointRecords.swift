package import JSON

/// Events of Amazon Pinpoint's event stream, as Kinesis and Firehose store them.
package enum PinpointRecords: RecordDialect, RecordEvents {
    package static let family = DialectFamily.pinpoint

    package static func claims(_ record: JSONObject) -> Bool {
        record["event_type"]?.text != nil && record["event_timestamp"] != nil && record["arrival_timestamp"] != nil
            && (record["application"]?.object != nil || record["client"]?.object != nil)
    }

    package static func read(
        _ record: JSONObject, _ settings: DialectSettings, into submission: inout DialectSubmission
    ) {
        let name = record["event_type"]?.text ?? ""
        let attributes = record["attributes"]?.object ?? .empty
        let notification = notification(attributes)
        let client = record.at("client", "client_id")?.text
        // Pinpoint's events have no ID.
        let parts = [name, client ?? "", notification ?? "", record["event_timestamp"]?.text ?? ""]
        let foreign = ForeignEvent(
            family, record, index: 0, name: name, id: parts.joined(separator: "\n"),
            afterpush: attributes["afterpush"], settings)
        let channel = channel(attributes, record)
        let status = attributes.text("campaign_send_status", "journey_send_status", "send_status")
        let kinds = kinds(name, status: status)
        guard foreign.isMapped || !kinds.isEmpty else { return foreign.ignore(.unknownName, in: &submission) }
        // Campaigns and journeys also send e-mail and SMS.
        guard foreign.isMapped || channel == nil || isOfPush(channel) else {
            return foreign.ignore(.otherType, in: &submission)
        }
        for kind in foreign.isMapped ? [kinds.first ?? ""] : kinds {
            var native = foreign.native(kind, at: record["event_timestamp"])
            native.describe(
                .platform,
                ForeignPlatform.word(record.at("device", "platform", "name")?.text) ?? platform(of: channel))
            native.describe(.osVersion, record.at("device", "platform", "version")?.text)
            native.describe(.appVersion, record.at("application", "version_name")?.text)
            native.describe(.locale, record.at("device", "locale", "code")?.text)
            if kind == "failed" { native.describe(.reason, status) }
            if kind != "app_opened" {
                native.describe(.campaignID, attributes.text("campaign_id", "journey_id"))
                native.describe(.variant, attributes["treatment_id"]?.text)
            }
            foreign.add(native, notification: notification, device: settings.device(id: client), to: &submission)
        }
    }

    /// The native kinds of an event: none if it is not of a notification.
    private static func kinds(_ name: String, status: String?) -> [String] {
        let parts = name.lowercased().split(separator: ".").map(String.init)
        guard parts.count == 2, let source = parts.first, let event = parts.last else { return [] }
        if source == "_session", event == "start" { return ["app_opened"] }
        // Those of campaigns, of journeys, and of messages that were sent directly.
        guard ["_campaign", "_journey", "_userattributes", "_notification"].contains(source) else { return [] }
        switch event {
        case "send": return [status?.uppercased() ?? "SUCCESS" == "SUCCESS" ? "sent" : "failed"]
        case "opened_notification": return ["opened"]
        case "received_background": return ["delivered"]
        case "received_foreground": return ["delivered", "displayed"]
        default: return []
        }
    }

    /// What was sent: the activity of a campaign, or of a run of a journey.
    private static func notification(_ attributes: JSONObject) -> String? {
        if let activity = attributes["campaign_activity_id"]?.text { return activity }
        let parts = [attributes["journey_run_id"]?.text, attributes["journey_activity_id"]?.text].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }

    private static func channel(_ attributes: JSONObject, _ record: JSONObject) -> String? {
        if let type = attributes["delivery_type"]?.text { return type.uppercased() }
        // The endpoint is JSON within a text.
        let endpoint = record.at("client_context", "custom", "endpoint")
        let object = endpoint?.object ?? endpoint?.string.flatMap { try? JSONElement(Array($0.utf8)) }?.object
        return object?["ChannelType"]?.text?.uppercased()
    }

    private static func isOfPush(_ channel: String?) -> Bool {
        !["EMAIL", "SMS", "VOICE", "CUSTOM", "IN_APP"].contains(channel ?? "")
    }

    private static func platform(of channel: String?) -> String? {
        switch channel {
        case let channel? where channel.hasPrefix("APNS"): "ios"
        case "GCM", "FCM", "ADM", "BAIDU": "android"
        default: nil
        }
    }
}
