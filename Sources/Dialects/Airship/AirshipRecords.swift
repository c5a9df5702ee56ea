package import JSON

/// Events of Airship's Real-Time Data Streaming, as its stream delivers them: one JSON object per line.
package enum AirshipRecords: RecordDialect, RecordEvents {
    package static let family = DialectFamily.airship

    package static func claims(_ record: JSONObject) -> Bool {
        guard let type = record["type"]?.string, !type.isEmpty, type == type.uppercased() else { return false }
        return record["id"]?.text != nil && record["occurred"]?.text != nil
            && (record["offset"] != nil || record["processed"] != nil)
    }

    package static func read(
        _ record: JSONObject, _ settings: DialectSettings, into submission: inout DialectSubmission
    ) {
        let type = record["type"]?.text?.uppercased() ?? ""
        let body = record["body"]?.object ?? .empty
        let channel = Channel(record["device"]?.object ?? .empty)
        // A custom event's own name says more than its type.
        let name = type == "CUSTOM" ? body["name"]?.text ?? type : type
        let foreign = ForeignEvent(
            family, record, index: 0, name: name, id: record["id"]?.text, afterpush: body["afterpush"], settings)
        // A push that an event is about, if it is about one.
        let push = type == "SEND" ? body : body["triggering_push"]?.object
        guard channel.isOfPush || foreign.isMapped else { return foreign.ignore(.otherType, in: &submission) }
        var kinds: [String] = []
        switch type {
        case "SEND": kinds = ["sent"]
        case "OPEN": kinds = push == nil ? ["app_opened"] : ["opened", "app_opened"]
        case "UNINSTALL": kinds = ["token_failed"]
        case "CUSTOM" where body["value"]?.number != nil:
            guard push != nil || foreign.isMapped else { return foreign.ignore(.noNotification, in: &submission) }
            kinds = ["converted"]
        default:
            if !foreign.isMapped {
                return foreign.ignore(type == "CUSTOM" ? .unknownName : .otherType, in: &submission)
            }
            kinds = [""]
        }
        // A mapping says what the whole event is.
        if foreign.isMapped { kinds = [kinds[0]] }
        let device = settings.device(id: channel.id, user: record.at("device", "named_user_id")?.text)
        for kind in kinds {
            var native = foreign.native(kind, at: record["occurred"])
            native.describe(.platform, channel.platform)
            if kind == "token_failed" { native.set(.reason, "uninstalled") }
            if kind == "converted" {
                native.describe(.name, name)
                native.set(value: body["value"])
                native.keep("transaction", body["transaction"])
            }
            if kind != "app_opened", kind != "token_failed", let push { describe(&native, push) }
            foreign.add(native, notification: push?["push_id"]?.text, device: device, to: &submission)
        }
    }

    /// Sets the campaign of a push: its group, else its first category, else the push itself.
    private static func describe(_ native: inout NativeEvent, _ push: JSONObject) {
        let categories = try? push.at("campaigns", "categories")?.elements(limit: 100)
        native.describe(.campaignID, push["group_id"]?.text ?? categories?.first?.text ?? push["push_id"]?.text)
        native.describe(.variant, push["variant_id"]?.text)
    }

    /// The device that an event is of.
    private struct Channel {
        var id: String?
        var platform: String?
        /// Whether it can show push notifications; channels of e-mail and SMS can't.
        var isOfPush: Bool { platform != nil || id == nil }

        init(_ device: JSONObject) {
            // Such as `ios_channel`.
            let suffix = "_channel"
            for member in device.all where member.name.hasSuffix(suffix) {
                guard let id = member.value.text else { continue }
                self.id = id
                platform = ForeignPlatform.word(String(member.name.dropLast(suffix.count)))
                return
            }
            id = device["channel"]?.text
            platform = ForeignPlatform.word(device["device_type"]?.text)
        }
    }
}
