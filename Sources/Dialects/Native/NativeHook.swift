import AfterpushWire
import Foundation
import JSON

/// Native events from senders whose bodies are templates.
///
/// Such a body can't make up a UUID, writes a number as text or an ID as number, and leaves a text empty where it has
/// nothing to fill in. It has the fields of `POST /v1/events`, but:
///
/// | field | here |
/// | --- | --- |
/// | `event_id` | any text, or none: then the content identifies the event |
/// | `kind` | also `tap`, and the names of events that other systems use |
/// | `occurred_at` | in any form of a time, or none: then the time of arrival |
/// | `platform` | also what other systems call it; left out if it is unknown |
package enum NativeHook: Dialect {
    package static let family = DialectFamily.native
    package static let routes = [DialectRoute("POST", "/v1/hooks/native")]

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody { try .hook(request) }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        body.read { read($1, $0, settings, into: &$2) }
    }

    private static func read(
        _ event: JSONObject, _ index: Int, _ settings: DialectSettings, into submission: inout DialectSubmission
    ) {
        let id = event["event_id"]?.text
        let foreign = ForeignEvent(
            family, event, index: index, name: event.text("kind", "action_identifier") ?? "", id: id,
            afterpush: event["afterpush"], settings)
        var native = foreign.native("")
        guard setKind(event, &native) || foreign.isMapped else {
            return foreign.ignore(.unknownName, in: &submission)
        }
        if let id, UUID(uuidString: id) != nil { native.set(.eventID, id.lowercased()) }
        for (name, value) in event.all {
            if let field = NativeEvent.Field.names[name] {
                set(field, value, &native)
            } else if name == "properties" {
                for (name, value) in value.object?.all ?? [] { native.keep(name, value) }
            } else if !["afterpush", "event_id"].contains(name) {
                native.keep(name, value)
            }
        }
        native.set(.receipt, event["receipt"]?.text)
        let device = settings.device(id: event["device_id"]?.text)
        foreign.add(native, notification: event["notification_id"]?.text, device: device, to: &submission)
    }

    /// Sets the kind with its action; returns whether the event states one.
    private static func setKind(_ event: JSONObject, _ native: inout NativeEvent) -> Bool {
        let action = event["action_identifier"]?.text
        let text = event["user_text"]?.text
        guard let name = event["kind"]?.text else {
            TapAction.set(action, userText: text, of: &native)
            return action != nil
        }
        switch EventKind(rawValue: name.lowercased()) {
        // A template states one of them for all taps. The action is what tells them apart.
        case .opened, .action: TapAction.set(action, userText: text, of: &native)
        case .textInput:
            TapAction.set(action, userText: text, of: &native)
            // The sender may have withheld the text.
            if native.kind == "action" { native.set(.kind, "text_input") }
        case let kind?: native.set(.kind, kind.rawValue)
        case nil: return setKind(named: name, action, text, &native)
        }
        return true
    }

    /// Sets the kind that a name of another system means; returns whether it means any.
    private static func setKind(
        named name: String, _ action: String?, _ text: String?, _ native: inout NativeEvent
    ) -> Bool {
        switch EventNames.meaning(of: name) {
        case .kind(let kind): native.set(.kind, kind)
        case .uninstalled:
            native.set(.kind, "token_failed")
            native.set(.reason, "uninstalled")
        case .tap: TapAction.set(action, userText: text, of: &native)
        case nil where name.lowercased() == "tap": TapAction.set(action, userText: text, of: &native)
        case .metric, nil: return false
        }
        if native.kind == "converted" { native.describe(.name, name) }
        return true
    }

    private static func set(_ field: NativeEvent.Field, _ value: JSONElement, _ native: inout NativeEvent) {
        switch field {
        case .eventID, .kind, .actionIdentifier, .userText, .notificationID, .deviceID, .receipt: break
        case .occurredAt: native.set(.occurredAt, ForeignTime.text(value))
        case .value: native.set(value: value)
        case .currency: native.set(currency: value.text)
        case .utcOffsetMinutes, .categoryVersion:
            native.set(field, number: value.number.flatMap { Int(exactly: $0) })
        case .platform: native.set(.platform, ForeignPlatform.word(value.text))
        default: native.describe(field, value.text)
        }
    }
}
