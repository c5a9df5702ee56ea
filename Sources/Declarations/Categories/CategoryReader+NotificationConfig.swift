import AfterpushWire

extension CategoryReader {
    /// Reads a `NotificationConfig`, whose categories name actions that a second map defines.
    mutating func readNotificationConfig(_ value: JSONValue) -> [CategoryDeclaration] {
        guard let config = readObject(value, "NotificationConfig"),
            let categories = readObject(config["UNNotificationCategory"] ?? .null, "UNNotificationCategory"),
            let actions = readObject(config["UNNotificationAction"] ?? .object([:]), "UNNotificationAction")
        else { return [] }
        guard isWithinLimit(categories: categories.count) else { return [] }
        var defined: [String: ActionDeclaration] = [:]
        for (key, value) in actions.sorted(by: { $0.key < $1.key }) {
            defined[key] = readAction(value, key)
        }
        return categories.sorted { $0.key < $1.key }.compactMap { readCategory($0.value, $0.key, defined) }
    }

    private mutating func readCategory(
        _ value: JSONValue, _ key: String, _ defined: [String: ActionDeclaration]
    ) -> CategoryDeclaration? {
        let name = "category '\(key.abbreviated)'"
        guard let members = readObject(value, name), let identifier = readKeyedIdentifier(members, key, name) else {
            return nil
        }
        var offered: [ActionDeclaration] = []
        for item in readActions(members["actions"], name) {
            guard case .string(let wanted) = item else {
                note("actions of \(name): an entry is not a string")
                continue
            }
            if let action = defined[wanted] {
                offered.append(action)
            } else {
                note("\(name) names the action '\(wanted.abbreviated)', which is not defined")
            }
        }
        checkUnique(offered.map(\.identifier), "action", of: name)
        return CategoryDeclaration(
            identifier: identifier,
            options: readOptionBits(members["options"], NotificationOption.ofCategories, name),
            actions: offered,
            textRetention: nil,
            minAppVersion: readAppVersion(members["minAppVersion"], "minAppVersion of \(name)"),
            intents: readIntents(members["intentIdentifiers"], "intentIdentifiers", name))
    }

    private mutating func readAction(_ value: JSONValue, _ key: String) -> ActionDeclaration? {
        let name = "action '\(key.abbreviated)'"
        guard let members = readObject(value, name), let identifier = readKeyedIdentifier(members, key, name) else {
            return nil
        }
        return ActionDeclaration(
            identifier: identifier,
            title: readText(members["title"], "title of \(name)") ?? identifier,
            options: readOptionBits(members["options"], NotificationOption.ofActions, name),
            textInput: readTextInput(members["textInput"], "textInput of \(name)", button: "buttonTitle"),
            isGoal: false,
            minAppVersion: readAppVersion(members["minAppVersion"], "minAppVersion of \(name)"))
    }

    /// Reads the identifier, which must equal the key of its object.
    private mutating func readKeyedIdentifier(_ members: [String: JSONValue], _ key: String, _ name: String) -> String?
    {
        guard let identifier = readIdentifier(members, name) else { return nil }
        if identifier != key { note("\(name) has the identifier '\(identifier)'") }
        return identifier
    }

    private mutating func readOptionBits(_ value: JSONValue?, _ known: [(name: String, bit: Int)], _ place: String)
        -> [String]
    {
        guard let value, value != .null else { return [] }
        let all = known.reduce(0) { $0 | $1.bit }
        guard case .number(let number) = value, let mask = Int(exactly: number), mask >= 0, mask & ~all == 0 else {
            note("options of \(place) are not a bit mask of \(known.map(\.name).joined(separator: ", "))")
            return []
        }
        return known.filter { mask & $0.bit != 0 }.map(\.name).sorted()
    }
}
