import JSON

/// The rules that apply to one name of events, in their order.
struct NamedRules: Sendable {
    private struct Compiled {
        let rule: EventMappings.Rule
        /// The numbers of paths, with those of the texts that must be there.
        var conditions: [(path: Int, text: Int)] = []
        var fields: [(field: NativeEvent.Field, path: Int)] = []
    }

    private var rules: [Compiled] = []
    private var paths = MemberPaths()
    /// The paths of conditions.
    private var conditionPaths: Set<Int> = []
    /// The bytes of the texts of all conditions by their numbers, so that a long text of an event is compared once.
    private var texts: [[UInt8]: Int] = [:]

    init(_ rules: [EventMappings.Rule]) {
        for rule in rules {
            var compiled = Compiled(rule: rule)
            for (path, text) in rule.where ?? [:] {
                let (path, text) = (paths.add(path), Array(text.utf8))
                conditionPaths.insert(path)
                compiled.conditions.append((path, texts[text] ?? texts.count))
                texts[text] = texts[text] ?? texts.count
            }
            for (name, path) in rule.fields ?? [:] {
                if let field = NativeEvent.Field.names[name] { compiled.fields.append((field, paths.add(path))) }
            }
            self.rules.append(compiled)
        }
    }

    var count: Int { rules.count }

    /// Returns the first rule of a family that applies to an event, with what it takes from it.
    func match(_ family: DialectFamily, _ event: JSONObject) -> MappedRule? {
        let rules = rules.lazy.filter { ($0.rule.dialect ?? family.rawValue) == family.rawValue }
        guard !rules.isEmpty else { return nil }
        let values = paths.values(of: event)
        var stated = [Int?](repeating: nil, count: values.count)
        for path in conditionPaths { stated[path] = values[path]?.condition.flatMap { texts[Array($0.utf8)] } }
        guard let match = rules.first(where: { $0.conditions.allSatisfy { stated[$0.path] == $0.text } }) else {
            return nil
        }
        let fields = match.fields.compactMap { field, path in values[path].map { (field, $0) } }
        return MappedRule(kind: match.rule.kind, fields: fields)
    }
}

/// A rule that applies to an event, with the values that it takes from it.
package struct MappedRule: Sendable {
    package let kind: String
    fileprivate let fields: [(NativeEvent.Field, JSONElement)]

    /// Sets the kind and the fields.
    package func apply(to native: inout NativeEvent) {
        native.set(.kind, kind)
        for (field, value) in fields {
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

extension JSONElement {
    /// The value as the text of a condition.
    fileprivate var condition: String? { text ?? bool.map { $0 ? "true" : "false" } }
}
