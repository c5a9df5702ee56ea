import AfterpushWire
import Events
import Foundation
package import JSON

extension NativeEvent {
    /// Takes over native fields that a system states under names of its own, often as texts.
    ///
    /// A value that its field can't have is passed over, and so is a description that is too long. The notification, the
    /// device and the receipt are left to `nameDelivery`.
    ///
    /// - Parameter names: The fields by the names of the members that state them.
    package mutating func take(_ object: JSONObject, _ names: [String: Field] = Field.names) {
        for (name, value) in object.all {
            if let field = names[name], value.type != .null, value.type != .other { take(field, value) }
        }
    }

    private mutating func take(_ field: Field, _ value: JSONElement) {
        switch field {
        case .notificationID, .deviceID, .receipt: break
        case .eventID: if let id = value.text, UUID(uuidString: id) != nil { set(.eventID, id.lowercased()) }
        case .kind: set(.kind, value.text.flatMap { KindNames.kind($0) })
        case .actionIdentifier, .userText: set(field, value.text)
        case .occurredAt: set(.occurredAt, ForeignTime.text(value))
        case .value: set(value: value)
        case .currency: set(currency: value.text)
        case .categoryVersion: set(field, number: value.whole(in: 1...Int(Int32.max)))
        case .utcOffsetMinutes: set(field, number: value.whole(in: -1_080...1_080))
        case .platform: set(.platform, ForeignPlatform.word(value.text))
        case .trigger: set(.trigger, value.text.flatMap(Self.trigger))
        case .handling: set(.handling, value.text.flatMap { Handling(rawValue: $0.lowercased()) }?.rawValue)
        default: describe(field, value.text)
        }
    }

    /// Returns the native word for what showed a notification, such as `time_interval` for `timeInterval`.
    package static func trigger(_ word: String) -> String? {
        let normal = word.lowercased().filter { $0 != "_" }
        return normal == "timeinterval" ? Trigger.timeInterval.rawValue : Trigger(rawValue: normal)?.rawValue
    }

    /// Keeps the members of an object as properties, as far as they have room together.
    package mutating func keep(properties: JSONObject?) {
        var members: [(String, String)] = []
        var room = Limits().propertiesBytes - 2
        for (name, value) in properties?.all ?? [] where value.type != .null && value.type != .other {
            let json = value.json
            let bytes = JSONText.string(name).utf8.count + json.utf8.count + 2
            guard bytes <= room else { continue }
            room -= bytes
            members.append((name, json))
        }
        let object = JSONText.object([("properties", JSONText.object(members))])
        if !members.isEmpty, let object = try? JSONElement(Array(object.utf8)).object { override(with: object) }
    }

    /// Makes the kind and the action agree: a tap with an action is the action, and other events have none.
    package mutating func settleAction() {
        let action = text(.actionIdentifier)
        switch kind {
        case "action", "text_input":
            // An app may have an action of its own whose name means a tap elsewhere, such as `open`.
            guard let action else { break }
            guard [ActionIdentifier.appleDefault, ActionIdentifier.appleDismiss].contains(action) else {
                if has(.userText) { set(.kind, "text_input") }
                break
            }
            fallthrough
        case "opened":
            remove(.actionIdentifier)
            TapAction.set(action, userText: text(.userText), of: &self)
        default: remove(.actionIdentifier)
        }
        if kind != "text_input" { remove(.userText) }
    }

    /// Names the notification and the device, unless the receipt does: a different name would cost the event.
    package mutating func nameDelivery(receipt: String?, notification: String?, device: String?) {
        if !has(.receipt) { set(.receipt, receipt) }
        let named = receiptNames
        let isAboutDevice = kind.flatMap { EventKind(rawValue: $0) }?.isAboutDevice == true
        if !has(.notificationID), !named.notification, !isAboutDevice { set(.notificationID, notification) }
        if !has(.deviceID), !named.device { set(.deviceID, device) }
    }
}

extension NativeEvent.Field {
    /// The fields by their native names.
    package static let names = names { $0.name }

    /// Returns the fields by names of another system.
    package static func names(_ name: (Self) -> String) -> [String: Self] {
        Dictionary(allCases.map { (name($0), $0) }) { first, _ in first }
    }
}

extension JSONElement {
    fileprivate func whole(in range: ClosedRange<Int>) -> Int? {
        number.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }
}
