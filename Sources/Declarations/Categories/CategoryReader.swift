import AfterpushWire

/// Reads categories out of a JSON document, and notes what is wrong instead of stopping at it.
struct CategoryReader {
    private(set) var problems: [String] = []

    /// Afterpush's own form.
    mutating func categories(_ value: JSONValue?) -> [CategoryDeclaration] {
        guard case .array(let items)? = value else {
            problems.append("the document must have a list 'categories' or an object 'NotificationConfig'")
            return []
        }
        return items.enumerated().compactMap { category($1, "categories[\($0)]") }
    }

    private mutating func category(_ value: JSONValue, _ place: String) -> CategoryDeclaration? {
        guard let members = object(value, place), let identifier = identifier(members, place) else { return nil }
        let name = "category '\(identifier)'"
        let actions = list(members["actions"], "actions of \(name)").enumerated().compactMap {
            action($1, "action \($0 + 1) of \(name)")
        }
        checkUnique(actions.map(\.identifier), "action", of: name)
        return CategoryDeclaration(
            identifier: identifier,
            options: options(members["options"], NotificationOption.ofCategories, name),
            actions: actions,
            textRetention: retention(members["text_retention"], name),
            minAppVersion: appVersion(members["min_app_version"], "min_app_version of \(name)"),
            intents: intents(members["intent_identifiers"], "intent_identifiers", name))
    }

    private mutating func action(_ value: JSONValue, _ place: String) -> ActionDeclaration? {
        guard let members = object(value, place), let identifier = identifier(members, place) else { return nil }
        let name = "\(place) ('\(identifier)')"
        return ActionDeclaration(
            identifier: identifier,
            title: text(members["title"], "title of \(name)") ?? identifier,
            options: options(members["options"], NotificationOption.ofActions, name),
            textInput: textInput(members["text_input"], "text_input of \(name)", button: "button_title"),
            isGoal: boolean(members["goal"], "goal of \(name)") ?? false,
            minAppVersion: appVersion(members["min_app_version"], "min_app_version of \(name)"))
    }

    mutating func checkIdentifiers(of categories: [CategoryDeclaration]) {
        checkUnique(categories.map(\.identifier), "category", of: "the document")
    }

    mutating func checkUnique(_ identifiers: [String], _ what: String, of place: String) {
        var seen: Set<[UInt8]> = []
        for identifier in identifiers where !seen.insert(Array(identifier.utf8)).inserted {
            problems.append("\(what) '\(identifier)' appears twice in \(place)")
        }
    }

    mutating func note(_ problem: String) {
        problems.append(problem)
    }
}
