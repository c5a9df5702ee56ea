import AfterpushWire
package import Declarations
import JSON
import Reports

extension CategoryDeclaration {
    /// Returns the category in Afterpush's own format.
    package func json(_ version: Int32) -> String {
        var members = [
            ("identifier", JSONText.string(identifier)), ("version", String(version)),
            ("options", JSONText.array(options.map(JSONText.string))),
            ("actions", JSONText.array(actions.map(\.json))),
        ]
        if !intents.isEmpty { members.append(("intent_identifiers", JSONText.array(intents.map(JSONText.string)))) }
        if let minAppVersion { members.append(("min_app_version", JSONText.string(minAppVersion.text))) }
        if let textRetention { members.append(("text_retention", JSONText.string(Self.retention(textRetention)))) }
        if let declaredAt { members.append(("declared_at", JSONText.string(declaredAt.description))) }
        return JSONText.object(members)
    }

    private static func retention(_ seconds: Int64) -> String {
        if seconds == 0 { return "none" }
        return seconds % 86_400 == 0 ? "\(seconds / 86_400)d" : "\(seconds)s"
    }

    /// Returns the format with maps of categories and actions, and with options as bit masks.
    ///
    /// Each identifier has one action. If categories declare it differently, the last one's action is used.
    static func notificationConfig(_ categories: [CategoryDeclaration]) -> String {
        var seen: Set<[UInt8]> = []
        var actions: [(key: String, json: String)] = []
        for action in categories.flatMap(\.actions).reversed()
        where seen.insert(Array(action.identifier.utf8)).inserted {
            actions.append((action.identifier, action.notificationConfig))
        }
        actions.reverse()
        let maps = [
            ("UNNotificationCategory", JSONText.object(categories.map { ($0.identifier, $0.notificationConfig) })),
            ("UNNotificationAction", JSONText.object(actions)),
        ]
        return JSONText.object([("NotificationConfig", JSONText.object(maps))])
    }

    private var notificationConfig: String {
        var members = [
            ("identifier", JSONText.string(identifier)),
            ("actions", JSONText.array(actions.map { JSONText.string($0.identifier) })),
            ("options", String(NotificationOption.bits(options, of: NotificationOption.ofCategories))),
        ]
        if !intents.isEmpty { members.append(("intentIdentifiers", JSONText.array(intents.map(JSONText.string)))) }
        if let minAppVersion { members.append(("minAppVersion", JSONText.string(minAppVersion.text))) }
        return JSONText.object(members)
    }
}

extension ActionDeclaration {
    fileprivate var json: String {
        var members = [
            ("identifier", JSONText.string(identifier)), ("title", JSONText.string(title)),
            ("options", JSONText.array(options.map(JSONText.string))),
        ]
        if let textInput { members.append(("text_input", textInput.json("button_title"))) }
        members.append(("goal", String(isGoal)))
        if let minAppVersion { members.append(("min_app_version", JSONText.string(minAppVersion.text))) }
        return JSONText.object(members)
    }

    fileprivate var notificationConfig: String {
        var members = [
            ("identifier", JSONText.string(identifier)), ("title", JSONText.string(title)),
            ("options", String(NotificationOption.bits(options, of: NotificationOption.ofActions))),
        ]
        if let textInput { members.append(("textInput", textInput.json("buttonTitle"))) }
        if let minAppVersion { members.append(("minAppVersion", JSONText.string(minAppVersion.text))) }
        return JSONText.object(members)
    }
}

extension ActionDeclaration.TextInput {
    fileprivate func json(_ button: String) -> String {
        let members = [(button, buttonTitle), ("placeholder", placeholder)]
        return JSONText.object(members.compactMap { name, text in text.map { (name, JSONText.string($0)) } })
    }
}
