package import JSON

/// Reads one event of Braze Currents, from a request or from a line of a file.
///
/// In requests, its fields are in the objects `user` and `properties`; in files, they are side by side, and those that
/// can be absent are in an object that says their type, such as `{"string": "..."}`, because the files come from Avro.
package struct BrazeEventReader {
    private let event: JSONObject
    private let user: JSONObject
    private let properties: JSONObject
    private let foreign: ForeignEvent

    /// Creates a reader of an event.
    ///
    /// - Parameter type: The type of events that state none, as in files, whose path has it.
    package init(_ event: JSONObject, type: String? = nil, index: Int, _ settings: DialectSettings) {
        self.event = event
        user = event["user"]?.object ?? .empty
        properties = event["properties"]?.object ?? .empty
        let name = event["event_type"].flatMap(Self.unwrapped)?.text ?? type ?? ""
        foreign = ForeignEvent(
            .braze, event, index: index, name: name, id: event["id"].flatMap(Self.unwrapped)?.text,
            afterpush: properties["afterpush"] ?? event["afterpush"], settings)
    }

    package func read(into submission: inout DialectSubmission) {
        let type = foreign.name.lowercased()
        var native = foreign.native("")
        var lostReason: String?
        switch type {
        case "users.messages.pushnotification.send": native.set(.kind, "sent")
        case "users.messages.pushnotification.bounce":
            native.set(.kind, "failed")
            // Braze doesn't say why.
            native.set(.reason, "bounced")
            lostReason = "bounced"
        case "users.messages.pushnotification.open":
            if text("button_action_type")?.lowercased() == "close" {
                native.set(.kind, "dismissed")
            } else {
                TapAction.set(text("button_string"), of: &native)
            }
        case "users.messages.pushnotification.iosforeground": native.set(.kind, "displayed")
        case "users.behaviors.pushnotification.tokenstatechange":
            guard let kind = Self.tokenKinds[text("push_token_state_change_type")?.lowercased() ?? ""] else {
                if !foreign.isMapped { return foreign.ignore(.otherType, in: &submission) }
                break
            }
            native.set(.kind, kind)
            if kind == "token_failed" { native.set(.reason, "removed") }
        case "users.behaviors.uninstall":
            native.set(.kind, "token_failed")
            native.set(.reason, "uninstalled")
        case "users.campaigns.conversion", "users.canvas.conversion":
            native.set(.kind, "converted")
            native.describe(.name, text("conversion_behavior"))
        default: if !foreign.isMapped { return foreign.ignore(Self.reason(for: type), in: &submission) }
        }
        describe(&native)
        foreign.add(native, notification: notification, device: device, to: &submission)
        if let lostReason { foreign.addLostToken(native, reason: lostReason, device: device, to: &submission) }
    }

    private static let tokenKinds = ["add": "token_registered", "remove": "token_failed"]

    /// Why an event is ignored: those of other channels, and attempts, can't be of a notification.
    private static func reason(for type: String) -> IgnoredEvent.Reason {
        let isAttempt = ["users.messages.pushnotification.abort", "users.messages.pushnotification.retry"].contains(
            type)
        let isOfOther = type.hasPrefix("users.messages.") && !type.hasPrefix("users.messages.pushnotification.")
        return isAttempt || isOfOther ? .otherType : .unknownName
    }

    private func describe(_ native: inout NativeEvent) {
        native.set(.occurredAt, ForeignTime.text(value("time_ms")) ?? ForeignTime.text(value("time")))
        native.describe(.campaignID, text("campaign_id") ?? text("canvas_id"))
        native.describe(.variant, text("message_variation_id") ?? text("canvas_variation_id"))
        native.describe(.platform, ForeignPlatform.word(text("platform")))
        native.describe(.osVersion, text("os_version"))
        native.describe(.appVersion, text("app_version"))
    }

    /// One send of one message. Events of older files name the message only.
    private var notification: String? { text("dispatch_id") ?? text("send_id") ?? text("message_variation_id") }

    private var device: String? {
        foreign.settings.device(
            id: text("device_id") ?? text("push_token_device_id"), token: text("push_token"),
            anonymous: text("user_id"), user: text("external_user_id"))
    }

    private func text(_ name: StaticString) -> String? { value(name)?.text }

    private func value(_ name: StaticString) -> JSONElement? {
        for object in [user, properties, event] {
            if let value = object[name].flatMap(Self.unwrapped) { return value }
        }
        return nil
    }

    private static let unionTypes: Set<String> = ["string", "int", "long", "float", "double", "boolean", "bytes"]

    /// The value within an object that says its type.
    private static func unwrapped(_ value: JSONElement) -> JSONElement? {
        guard let members = value.object?.all, members.count == 1, let member = members.first,
            unionTypes.contains(member.name)
        else { return value }
        return member.value.type == .null ? nil : member.value
    }
}

extension BrazeEventReader {
    /// Returns the type of a file's events by the file's path, such as
    /// `.../event_type=users.messages.pushnotification.Open/...`; `nil` if it doesn't state one.
    package static func type(ofFile path: String) -> String? {
        for folder in path.split(separator: "/") where folder.hasPrefix("event_type=") {
            return String(folder.dropFirst("event_type=".count))
        }
        return nil
    }
}
