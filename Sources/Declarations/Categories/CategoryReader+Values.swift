import AfterpushWire
import Foundation

/// Reads single values of a document. An absent value is `nil`, and is not a problem.
extension CategoryReader {
    mutating func readObject(_ value: JSONValue, _ place: String) -> [String: JSONValue]? {
        if case .object(let members) = value { return members }
        note("\(place) is not an object")
        return nil
    }

    mutating func readList(_ value: JSONValue?, _ place: String) -> [JSONValue] {
        guard let value, value != .null else { return [] }
        if case .array(let items) = value { return items }
        note("\(place) must be a list")
        return []
    }

    mutating func readIdentifier(_ members: [String: JSONValue], _ place: String) -> String? {
        guard case .string(let identifier)? = members["identifier"], !identifier.isEmpty else {
            note("\(place) has no identifier")
            return nil
        }
        guard identifier.utf8.count <= 256, !identifier.utf8.contains(0) else {
            note("the identifier of \(place) is longer than 256 bytes, or has a NUL")
            return nil
        }
        return identifier
    }

    mutating func readText(_ value: JSONValue?, _ place: String) -> String? {
        guard let value, value != .null else { return nil }
        guard case .string(let text) = value, text.utf8.count <= 4_096, !text.utf8.contains(0) else {
            note("\(place) is not a string of at most 4,096 bytes")
            return nil
        }
        return text
    }

    mutating func readBoolean(_ value: JSONValue?, _ place: String) -> Bool? {
        guard let value, value != .null else { return nil }
        if case .bool(let flag) = value { return flag }
        note("\(place) must be true or false")
        return nil
    }

    mutating func readOptions(
        _ value: JSONValue?, _ known: [(name: String, bit: Int)], _ place: String
    ) -> [String] {
        var names: Set<String> = []
        for item in readList(value, "options of \(place)") {
            guard case .string(let name) = item, known.contains(where: { $0.name == name }) else {
                if case .string(let name) = item {
                    note("\(place) has the unknown option '\(name.abbreviated)'")
                } else {
                    note("\(place) has an option that is not a string")
                }
                continue
            }
            names.insert(name)
        }
        return names.sorted()
    }

    mutating func readTextInput(
        _ value: JSONValue?, _ place: String, button: String
    ) -> ActionDeclaration.TextInput? {
        guard let value, value != .null, let members = readObject(value, place) else { return nil }
        return ActionDeclaration.TextInput(
            buttonTitle: readText(members[button], "\(button) of \(place)"),
            placeholder: readText(members["placeholder"], "placeholder of \(place)"))
    }

    /// Reads `none`, or a number of days or hours such as `90d` or `12h`, in seconds.
    mutating func readRetention(_ value: JSONValue?, _ place: String) -> Int64? {
        guard let value, value != .null else { return nil }
        if value == .string("none") { return 0 }
        if case .string(let text) = value, let match = text.wholeMatch(of: /([1-9][0-9]{0,4})([dh])/),
            let count = Int64(match.1)
        {
            return count * (match.2 == "d" ? 86_400 : 3_600)
        }
        note("text_retention of \(place) must be 'none' or a duration like '90d'")
        return nil
    }

    mutating func readIntents(_ value: JSONValue?, _ name: String, _ place: String) -> [String] {
        readList(value, "\(name) of \(place)").compactMap { readText($0, "an entry of \(name) of \(place)") }
    }

    mutating func readAppVersion(_ value: JSONValue?, _ place: String) -> AppVersion? {
        guard let text = readText(value, place) else { return nil }
        if let version = AppVersion(text) { return version }
        note("\(place) must be an app version like '2.10.1'")
        return nil
    }

    mutating func readTime(_ value: JSONValue?, _ place: String) -> Timestamp? {
        guard let value, value != .null else { return nil }
        if case .string(let text) = value, let time = Timestamp(text) { return time }
        note("\(place) is not an RFC 3339 time")
        return nil
    }
}
