package import JSON

/// An app's own names of events: what events mean that no specification names.
package struct EventMappings: Sendable, Equatable {
    /// A name with conditions on the event, and the native event that it stands for.
    ///
    /// | key | meaning |
    /// | --- | --- |
    /// | `dialect` | the family to which the rule applies; absent for all |
    /// | `event` | the name, compared like built-in ones |
    /// | `where` | texts that members of the event must have, by their path, such as `properties.channel` |
    /// | `kind` | the native kind; `tap` for an opening, or an action if `action_identifier` says so |
    /// | `fields` | native fields, each with the path of the member that states it |
    package struct Rule: Sendable, Equatable, Codable {
        package var dialect: String?
        package var event: String
        package var `where`: [String: String]?
        package var kind: String
        package var fields: [String: String]?

        package init(
            dialect: String? = nil, event: String, where conditions: [String: String]? = nil, kind: String,
            fields: [String: String]? = nil
        ) {
            self.dialect = dialect
            self.event = event
            self.where = conditions
            self.kind = kind
            self.fields = fields
        }
    }

    package let mappings: [Rule]
    /// The rules by the normal form of their name, so that an event is compared with no others.
    private let rules: [String: [Rule]]

    package init(_ mappings: [Rule] = []) {
        self.mappings = mappings
        rules = Dictionary(grouping: mappings) { EventNames.normal($0.event) }
    }

    /// Returns the first rule that applies to an event.
    package func rule(_ family: DialectFamily, _ name: String, _ event: JSONObject) -> Rule? {
        guard !rules.isEmpty, let named = rules[EventNames.normal(name)] else { return nil }
        return named.first { rule in
            (rule.dialect ?? family.rawValue) == family.rawValue
                && (rule.where ?? [:]).allSatisfy { event.value(at: $0.key)?.condition == $0.value }
        }
    }

    /// The most rules that a name may have. Each event with the name is compared with all of them.
    static let mostForName = 20

    /// Returns a name that has too many rules, or nil.
    var crowdedName: String? {
        rules.values.first { $0.count > Self.mostForName }?.first?.event
    }
}

extension EventMappings.Rule {
    /// Sets the kind and the fields that the rule takes from an event.
    package func apply(to native: inout NativeEvent, of event: JSONObject) {
        native.set(.kind, kind)
        for (name, path) in fields ?? [:] {
            guard let field = NativeEvent.Field.names[name], let value = event.value(at: path) else { continue }
            switch field {
            case .occurredAt: native.set(.occurredAt, ForeignTime.text(value))
            case .value: native.set(value: value)
            case .utcOffsetMinutes, .categoryVersion:
                native.set(field, number: value.number.flatMap { Int(exactly: $0) })
            default: native.set(field, value.text)
            }
        }
        if kind == "tap" {
            TapAction.set(native.text(.actionIdentifier), userText: native.text(.userText), of: &native)
        }
    }
}

extension JSONObject {
    /// The value at a path of members, joined by dots. A member whose name holds dots is found by its whole name.
    package func value(at path: String) -> JSONElement? {
        if let value = value(named: path) { return value }
        guard let dot = path.firstIndex(of: ".") else { return nil }
        return value(named: String(path[..<dot]))?.object?.value(at: String(path[path.index(after: dot)...]))
    }
}

extension JSONElement {
    /// The value as the text of a condition.
    fileprivate var condition: String? { text ?? bool.map { $0 ? "true" : "false" } }
}
