import AfterpushWire
import Events

/// Reads categories from a JSON document, and collects all problems instead of stopping at the first.
struct CategoryReader {
    private(set) var problems = ProblemList()
    /// Why a list is not read, if it has more entries than an app may have.
    private(set) var excess: String?
    private let limits: NameLimits?

    /// Creates a reader.
    ///
    /// - Parameter limits: The limits of an app's names, or `nil` if the set is compared with them later.
    init(limits: NameLimits? = nil) {
        self.limits = limits
    }

    /// Reads the list `categories` of Afterpush's own format.
    mutating func readCategories(_ value: JSONValue?) -> [CategoryDeclaration] {
        guard case .array(let items)? = value else {
            note("the document must have a list 'categories' or an object 'NotificationConfig'")
            return []
        }
        guard isWithinLimit(categories: items.count) else { return [] }
        return items.enumerated().compactMap { readCategory($1, "categories[\($0)]") }
    }

    private mutating func readCategory(_ value: JSONValue, _ place: String) -> CategoryDeclaration? {
        guard let members = readObject(value, place), let identifier = readIdentifier(members, place) else {
            return nil
        }
        let name = "category '\(identifier)'"
        let actions = readActions(members["actions"], name).enumerated().compactMap {
            readAction($1, "action \($0 + 1) of \(name)")
        }
        checkUnique(actions.map(\.identifier), "action", of: name)
        return CategoryDeclaration(
            identifier: identifier,
            options: readOptions(members["options"], NotificationOption.ofCategories, name),
            actions: actions,
            textRetention: readRetention(members["text_retention"], name),
            minAppVersion: readAppVersion(members["min_app_version"], "min_app_version of \(name)"),
            intents: readIntents(members["intent_identifiers"], "intent_identifiers", name))
    }

    private mutating func readAction(_ value: JSONValue, _ place: String) -> ActionDeclaration? {
        guard let members = readObject(value, place), let identifier = readIdentifier(members, place) else {
            return nil
        }
        let name = "\(place) ('\(identifier)')"
        return ActionDeclaration(
            identifier: identifier,
            title: readText(members["title"], "title of \(name)") ?? identifier,
            options: readOptions(members["options"], NotificationOption.ofActions, name),
            textInput: readTextInput(members["text_input"], "text_input of \(name)", button: "button_title"),
            isGoal: readBoolean(members["goal"], "goal of \(name)") ?? false,
            minAppVersion: readAppVersion(members["min_app_version"], "min_app_version of \(name)"))
    }

    /// Returns the entries of a category's actions, or none if there are more than an app may have.
    mutating func readActions(_ value: JSONValue?, _ category: String) -> [JSONValue] {
        let items = readList(value, "actions of \(category)")
        do throws(DeclarationError) {
            try limits?.check(actions: items.count)
            return items
        } catch {
            excess = error.description
            return []
        }
    }

    /// Whether so many categories can be read.
    mutating func isWithinLimit(categories count: Int) -> Bool {
        do throws(DeclarationError) {
            try limits?.check(categories: count)
            return true
        } catch {
            excess = error.description
            return false
        }
    }

    mutating func checkIdentifiers(of categories: [CategoryDeclaration]) {
        checkUnique(categories.map(\.identifier), "category", of: "the document")
        if categories.contains(where: { $0.actions.contains { $0.identifier == Event.otherAction } }) {
            note("the action '\(Event.otherAction)' is reserved for actions past the limit of names")
        }
    }

    mutating func checkUnique(_ identifiers: [String], _ what: String, of place: String) {
        var seen: Set<[UInt8]> = []
        for identifier in identifiers where !seen.insert(Array(identifier.utf8)).inserted {
            note("\(what) '\(identifier)' appears twice in \(place)")
        }
    }

    mutating func note(_ problem: @autoclosure () -> String) {
        problems.note(problem())
    }
}
