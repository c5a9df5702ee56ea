package import JSON

/// Rows of Google Analytics 4's export to BigQuery, as NDJSON.
///
/// Firebase's SDK records what happens to notifications by itself, and sends it to Google alone.
package enum GA4Records: RecordDialect, RecordEvents {
    package static let family = DialectFamily.ga4

    private static let kinds = [
        "notification_receive": "delivered", "notification_open": "opened", "notification_dismiss": "dismissed",
        "notification_foreground": "displayed", "app_remove": "token_failed",
    ]

    package static func claims(_ record: JSONObject) -> Bool {
        record["event_name"]?.text != nil && record["event_timestamp"]?.number != nil
            && (record["event_params"]?.type == .array || record["user_pseudo_id"] != nil)
    }

    package static func read(
        _ record: JSONObject, _ settings: DialectSettings, into submission: inout DialectSubmission
    ) {
        let name = record["event_name"]?.text ?? ""
        let kind = kinds[name.lowercased()]
        // Most rows are of other events, so their parameters aren't even looked at.
        guard kind != nil || record["afterpush"] != nil || settings.mappings.rule(family, name, record) != nil else {
            return submission.ignore(0, name, .unknownName)
        }
        let parameters = Parameters(record["event_params"])
        let message = parameters["message_id"]
        let device = settings.device(id: record["user_pseudo_id"]?.text, user: record["user_id"]?.text)
        let parts = [name, message ?? "", record["event_timestamp"]?.text ?? ""]
        let foreign = ForeignEvent(
            family, record, index: 0, name: name, id: parts.joined(separator: "\n"), afterpush: record["afterpush"],
            settings)
        var native = foreign.native(kind ?? "", at: record["event_timestamp"])
        if kind == "token_failed" {
            native.set(.reason, "uninstalled")
        } else {
            native.describe(.campaignID, parameters["message_name"] ?? parameters["label"])
            native.describe(.categoryID, parameters["message_channel"])
        }
        native.describe(.platform, ForeignPlatform.word(record["platform"]?.text))
        native.describe(.appVersion, record.at("app_info", "version")?.text)
        native.describe(.osVersion, record.at("device", "operating_system_version")?.text)
        native.describe(.locale, record.at("device", "language")?.text)
        if let seconds = record.at("device", "time_zone_offset_seconds")?.number, seconds != 0 {
            native.set(.utcOffsetMinutes, number: Int(exactly: (seconds / 60).rounded()))
        }
        foreign.add(native, notification: message, device: device, to: &submission)
    }

    /// The parameters of an event, which are a list of names, each with one value of some type.
    private struct Parameters {
        private var values: [String: String] = [:]

        init(_ list: JSONElement?) {
            for case let parameter? in ((try? list?.elements(limit: 1_000)) ?? []).map(\.object) {
                guard let name = parameter["key"]?.string else { continue }
                let value = parameter["value"]?.object
                values[name] = value?.text("string_value", "int_value", "double_value", "float_value")
            }
        }

        subscript(_ name: String) -> String? { values[name] }
    }
}
