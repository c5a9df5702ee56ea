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
    private let rules: [String: NamedRules]

    package init(_ mappings: [Rule] = []) {
        self.mappings = mappings
        rules = Dictionary(grouping: mappings) { EventNames.normal($0.event) }.mapValues { NamedRules($0) }
    }

    package static func == (one: EventMappings, other: EventMappings) -> Bool { one.mappings == other.mappings }

    /// Returns the first rule that applies to an event.
    package func rule(_ family: DialectFamily, _ name: String, _ event: JSONObject) -> MappedRule? {
        guard !rules.isEmpty, name.isShort else { return nil }
        return rules[EventNames.normal(name)]?.match(family, event)
    }

    /// The most rules that a name may have. Each event with the name is compared with all of them.
    static let mostForName = 20

    /// Returns a name that has too many rules, or nil.
    var crowdedName: String? {
        guard let crowded = rules.first(where: { $0.value.count > Self.mostForName })?.key else { return nil }
        return mappings.first { EventNames.normal($0.event) == crowded }?.event
    }
}
