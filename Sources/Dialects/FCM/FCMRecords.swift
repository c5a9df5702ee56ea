package import JSON

/// Rows of the table into which FCM exports what became of messages, from BigQuery as CSV or NDJSON.
package enum FCMRecords: RecordDialect, RecordEvents {
    package static let family = DialectFamily.fcm

    package static func claims(_ record: JSONObject) -> Bool {
        record["event"]?.text != nil && record["message_id"]?.text != nil
            && (record["sdk_platform"] != nil || record["project_number"] != nil)
    }

    package static func claims(columns: Set<String>) -> Bool {
        columns.isSuperset(of: ["event", "event_timestamp", "message_id", "instance_id"])
    }

    /// The values of `event` after which the token can't be used any more.
    private static let lostTokens: Set<String> = [
        "INVALID_REGISTRATION", "MISMATCH_SENDER_ID", "NOT_REGISTERED", "UNAUTHORIZED_REGISTRATION", "UNREGISTERED",
    ]

    package static func read(
        _ record: JSONObject, _ settings: DialectSettings, into submission: inout DialectSubmission
    ) {
        let name = record["event"]?.text ?? ""
        let message = record["message_id"]?.text
        let device = settings.device(id: record["instance_id"]?.text)
        let foreign = ForeignEvent(
            family, record, index: 0, name: name, id: [message ?? "", name].joined(separator: "\n"),
            afterpush: record["afterpush"], settings)
        guard !name.isEmpty || foreign.isMapped else { return foreign.ignore(.unknownName, in: &submission) }
        var native: NativeEvent
        switch name.uppercased() {
        case "MESSAGE_ACCEPTED": native = foreign.native("sent", at: record["event_timestamp"])
        case "MESSAGE_DELIVERED": native = foreign.native("delivered", at: record["event_timestamp"])
        default:
            // All others are reasons why FCM didn't send the message.
            native = foreign.native("failed", at: record["event_timestamp"])
            native.describe(.reason, name)
        }
        native.describe(.campaignID, record.text("analytics_label", "topic", "bulk_id"))
        native.describe(.platform, ForeignPlatform.word(record["sdk_platform"]?.text))
        native.keep("message_type", record["message_type"])
        foreign.add(native, notification: message, device: device, to: &submission)
        if lostTokens.contains(name.uppercased()) {
            foreign.addLostToken(native, reason: name, device: device, to: &submission)
        }
    }
}
