package import Events
package import Foundation
package import JSON

/// An event in the form of `POST /v1/events`, as a dialect derived it.
package struct NativeEvent: Sendable, Equatable {
    /// The fields of an event, in the order in which they are written.
    package enum Field: Int, Sendable, CaseIterable {
        case eventID, kind, actionIdentifier, userText, notificationID, deviceID, occurredAt, campaignID
        case categoryID, categoryVersion, variant, receipt, platform, surface, trigger, appState, appVersion
        case osVersion, locale, utcOffsetMinutes, dismissCause, handling, reason, name, value, currency

        /// The name that the field has in an event.
        package var name: String { Self.inOrder[rawValue] }

        fileprivate var bit: UInt32 { 1 << UInt32(rawValue) }

        /// What precedes the field's value in an event.
        fileprivate static let keys = inOrder.map { Array("\"\($0)\":".utf8) }

        private static let inOrder = [
            "event_id", "kind", "action_identifier", "user_text", "notification_id", "device_id", "occurred_at",
            "campaign_id", "category_id", "category_version", "variant", "receipt", "platform", "surface",
            "trigger", "app_state", "app_version", "os_version", "locale", "utc_offset_minutes", "dismiss_cause",
            "handling", "reason", "name", "value", "currency",
        ]
    }

    /// A field's value: a text, most often, or what the other system wrote as JSON.
    private enum Value: Sendable, Equatable {
        case text(String)
        case json(String)

        var json: String {
            switch self {
            case .text(let text): JSONText.string(text)
            case .json(let json): json
            }
        }
    }

    /// The fields that have a value, one bit each.
    private var stated: UInt32 = 0
    /// The values of those fields, in the order of the fields. An event has less than half of them.
    private var values: [Value] = []
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
        self.sourceID = sourceID.map(Self.normal)
        values.reserveCapacity(12)
        set(.kind, kind)
    }

    /// The kind, unless an action identifier from a native object implies it.
    package var kind: String? { text(.kind) }

    package func has(_ field: Field) -> Bool { stated & field.bit != 0 }

    private subscript(field: Field) -> Value? {
        get { has(field) ? values[place(of: field)] : nil }
        set {
            switch (newValue, has(field)) {
            case (let value?, true): values[place(of: field)] = value
            case (let value?, false): values.insert(value, at: place(of: field))
            case (nil, true): values.remove(at: place(of: field))
            case (nil, false): return
            }
            if newValue == nil { stated &= ~field.bit } else { stated |= field.bit }
        }
    }

    /// The number of values before that of a field.
    private func place(of field: Field) -> Int { (stated & (field.bit - 1)).nonzeroBitCount }

    /// Returns the text of a field, or `nil` if it is absent or no string.
    package func text(_ field: Field) -> String? {
        switch self[field] {
        case .text(let text): text
        case .json(let json): (try? JSONElement(Array(json.utf8)))?.string
        case nil: nil
        }
    }

    /// Sets a field; an absent or empty text leaves it as it is.
    package mutating func set(_ field: Field, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        self[field] = .text(text)
    }

    /// Sets a field that only describes the event. A text that is too long is left out rather than cost the event.
    package mutating func describe(_ field: Field, _ text: String?) {
        guard let text, text.utf8.count <= Limits().identifierBytes else { return }
        set(field, text)
    }

    package mutating func set(_ field: Field, number: Int?) {
        if let number { self[field] = .json(String(number)) }
    }

    package mutating func remove(_ field: Field) {
        self[field] = nil
    }

    /// Sets what the event was worth, from a number or a text with one.
    package mutating func set(value: JSONElement?) {
        guard let value, value.number != nil, let text = value.text else { return }
        // A text such as `.5` is a number in many languages, but not in JSON.
        let isJSON = (try? JSONElement(Array(text.utf8)))?.type == .number
        self[.value] = isJSON ? .json(text) : value.number.map { .json("\($0)") }
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
        if object["action_identifier"] != nil, object["kind"] == nil { remove(.kind) }
        if object["kind"] != nil, object["action_identifier"] == nil { remove(.actionIdentifier) }
        for (name, value) in object.all where value.type != .null {
            if let field = Field.names[name] {
                self[field] = .json(value.json)
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
        var json: [UInt8] = []
        append(to: &json, family, key)
        return String(decoding: json, as: UTF8.self)
    }

    /// Appends the event as JSON.
    package func append(to json: inout [UInt8], _ family: DialectFamily, _ key: EventIDKey) {
        json.append(UInt8(ascii: "{"))
        if !has(.eventID) {
            json.append(contentsOf: #""event_id":""#.utf8)
            eventID(family, key).append(to: &json)
            json.append(UInt8(ascii: "\""))
        }
        var rest = stated
        for value in values {
            if json.last != UInt8(ascii: "{") { json.append(UInt8(ascii: ",")) }
            json.append(contentsOf: Field.keys[rest.trailingZeroBitCount])
            rest &= rest - 1
            switch value {
            case .text(let text): JSONText.append(text, to: &json)
            case .json(let text): json.append(utf8: text)
            }
        }
        if !properties.isEmpty {
            let members = properties.sorted { $0.key < $1.key }.map { ($0, $1) }
            json.append(contentsOf: ",\"properties\":\(JSONText.object(members))".utf8)
        }
        json.append(UInt8(ascii: "}"))
    }

    /// The device that the event was derived for, which is part of its identity even if a receipt names the device.
    package var derivedDevice: String?

    /// Derives the event's ID from the other system's ID, so that a repeated event has the same one.
    ///
    /// The kind and the device are part of it, because one event can become two, and because some senders state the ID
    /// of a message where that of an event belongs. Without an ID, the event's content takes its place.
    package func eventID(_ family: DialectFamily, _ key: EventIDKey) -> UUID {
        var content: [UInt8] = []
        content.reserveCapacity(256)
        func add(_ part: String) {
            content.append(decimal: UInt(part.utf8.count))
            content.append(UInt8(ascii: ":"))
            content.append(utf8: part)
        }
        add(family.rawValue)
        if let sourceID {
            for part in ["id", sourceID, kind ?? "", derivedDevice ?? ""] { add(part) }
        } else {
            for part in ["content", source, derivedDevice ?? ""] { add(part) }
            for field in Field.allCases { add(self[field]?.json ?? "") }
        }
        return key.id(of: content)
    }

    /// Returns an ID, a UUID in lower case.
    private static func normal(_ id: String) -> String {
        guard id.utf8.count == 36 else { return id }
        var id = id
        let isUpperUUID = id.withUTF8 { utf8 in
            utf8.contains { UInt8(ascii: "A")...UInt8(ascii: "F") ~= $0 } && UUID(text: utf8.span) != nil
        }
        return isUpperUUID ? id.lowercased() : id
    }
}
