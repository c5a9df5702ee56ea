package import Events
package import Foundation
package import JSON

/// An event in the form of `POST /v1/events`, as a dialect derived it.
package struct NativeEvent: Sendable, Equatable {
    /// The fields of an event, in the order in which they are written.
    package enum Field: String, Sendable, CaseIterable {
        case eventID = "event_id"
        case kind
        case actionIdentifier = "action_identifier"
        case userText = "user_text"
        case notificationID = "notification_id"
        case deviceID = "device_id"
        case occurredAt = "occurred_at"
        case campaignID = "campaign_id"
        case categoryID = "category_id"
        case categoryVersion = "category_version"
        case variant
        case receipt
        case platform
        case surface
        case trigger
        case appState = "app_state"
        case appVersion = "app_version"
        case osVersion = "os_version"
        case locale
        case utcOffsetMinutes = "utc_offset_minutes"
        case dismissCause = "dismiss_cause"
        case handling
        case reason
        case name
        case value
        case currency
    }

    /// The JSON of each field.
    private var fields: [Field: String] = [:]
    /// The JSON of each property.
    private var properties: [String: String] = [:]
    /// The position of the event that it was derived from in the request.
    package let index: Int
    /// The name of that event in the other system.
    package let source: String
    /// The other system's id of the event, or `nil` if it has none. A UUID is in lower case.
    package let sourceID: String?

    package init(kind: String, index: Int, source: String, sourceID: String?) {
        self.index = index
        self.source = source
        self.sourceID = sourceID.map { Self.isUUID($0) ? $0.lowercased() : $0 }
        set(.kind, kind)
    }

    /// The kind, unless an action identifier from a native object implies it.
    package var kind: String? { text(.kind) }

    package func has(_ field: Field) -> Bool { fields[field] != nil }

    /// Returns the text of a field, or `nil` if it is absent or no string.
    package func text(_ field: Field) -> String? {
        fields[field].flatMap { try? JSONElement(Array($0.utf8)) }?.string
    }

    /// Sets a field; an absent or empty text leaves it as it is.
    package mutating func set(_ field: Field, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        fields[field] = JSONText.string(text)
    }

    /// Sets a field that only describes the event. A text that is too long is left out rather than cost the event.
    package mutating func describe(_ field: Field, _ text: String?) {
        guard let text, text.utf8.count <= Limits().identifierBytes else { return }
        set(field, text)
    }

    package mutating func set(_ field: Field, number: Int?) {
        if let number { fields[field] = String(number) }
    }

    package mutating func remove(_ field: Field) {
        fields[field] = nil
    }

    /// Sets what the event was worth, from a number or a text with one.
    package mutating func set(value: JSONElement?) {
        guard let value, value.number != nil, let text = value.text else { return }
        // A text such as `.5` is a number in many languages, but not in JSON.
        let isJSON = (try? JSONElement(Array(text.utf8)))?.type == .number
        fields[.value] = isJSON ? text : value.number.map { "\($0)" }
    }

    /// Sets a currency if it consists of three letters.
    package mutating func set(currency: String?) {
        guard let currency, currency.utf8.count == 3, currency.allSatisfy({ $0.isASCII && $0.isLetter }) else { return }
        set(.currency, currency.uppercased())
    }

    /// Keeps a property, unless it is too long to be worth it.
    package mutating func keep(_ name: String, _ value: JSONElement?) {
        guard let text = value?.text, text.utf8.count <= Limits().identifierBytes else { return }
        properties[name] = JSONText.string(text)
    }

    /// Sets the fields that an object of native fields states, which go before everything derived.
    package mutating func override(with object: JSONObject) {
        if object["action_identifier"] != nil, object["kind"] == nil { fields[.kind] = nil }
        if object["kind"] != nil, object["action_identifier"] == nil { fields[.actionIdentifier] = nil }
        for (name, value) in object.all where value.type != .null {
            if let field = Field(rawValue: name) {
                fields[field] = value.json
            } else if name == "properties", let members = value.object {
                for (name, value) in members.all { properties[name] = value.json }
            } else {
                properties[name] = value.json
            }
        }
    }

    /// Returns the event as JSON.
    ///
    /// - Parameter key: The key of the app's event IDs that are derived from content.
    package func json(_ family: DialectFamily, _ key: EventIDKey) -> String {
        var members = Field.allCases.compactMap { field in fields[field].map { (field.rawValue, $0) } }
        if fields[.eventID] == nil {
            members.insert(("event_id", JSONText.string(eventID(family, key).uuidString.lowercased())), at: 0)
        }
        if !properties.isEmpty {
            members.append(("properties", JSONText.object(properties.sorted { $0.key < $1.key }.map { ($0, $1) })))
        }
        return JSONText.object(members)
    }

    /// The device that the event was derived for, which is part of its identity even if a receipt names the device.
    package var derivedDevice: String?

    /// Derives the event's ID from the other system's ID, so that a repeated event has the same one.
    ///
    /// The kind and the device are part of it, because one event can become two, and because some senders state the ID of a
    /// message where that of an event belongs. Without an ID, the event's content takes its place.
    package func eventID(_ family: DialectFamily, _ key: EventIDKey) -> UUID {
        let parts: [String]
        if let sourceID {
            parts = [family.rawValue, "id", sourceID, kind ?? "", derivedDevice ?? ""]
        } else {
            let content = Field.allCases.map { self.fields[$0] ?? "" }
            parts = [family.rawValue, "content", source, derivedDevice ?? ""] + content
        }
        return key.id(of: parts.map { "\($0.utf8.count):\($0)" }.joined())
    }

    private static func isUUID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 36
            && bytes.indices.allSatisfy {
                [8, 13, 18, 23].contains($0) ? bytes[$0] == 0x2D : bytes[$0].hexValue != nil
            }
    }
}
