import JSON

/// A JSON value as it was written: unchanged parts are returned byte for byte, except for white space.
package indirect enum PayloadValue: Sendable, Equatable {
    /// An object. As in strings, the bytes of names are those between their quotes.
    case object([Member])
    case array([PayloadValue])
    case string([UInt8])
    /// A number, `true`, `false` or `null`.
    case word([UInt8])

    package struct Member: Sendable, Equatable {
        let name: [UInt8]
        var value: PayloadValue
    }

    static func text(_ text: String) -> PayloadValue { .string(inside(text)) }

    /// Returns a member, or `nil` if it is absent or the value is not an object.
    subscript(name: String) -> PayloadValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.isNamed(name) }?.value
    }

    /// Returns the value at a path of names.
    subscript(path: [String]) -> PayloadValue? {
        path.reduce(self) { value, name in value?[name] }
    }

    /// The unescaped text of a string, or `nil` for other values.
    var text: String? {
        guard case .string(let inside) = self else { return nil }
        return String(lenient: JSONText.unescape(inside, inside.indices))
    }

    var isObject: Bool {
        if case .object = self { return true }
        return false
    }

    /// Whether it is 1 or `true`: Apple documents the number, and some servers write the boolean.
    var isOn: Bool { self == .word(Array("1".utf8)) || self == .word(Array("true".utf8)) }

    /// Sets or replaces a member of the object at a path, and adds missing objects along the path.
    mutating func set(_ name: String, to value: PayloadValue, at path: [String] = []) {
        guard case .object(var members) = self else { return }
        let next = path.first ?? name
        var inner = value
        if !path.isEmpty {
            inner = self[next] ?? .object([])
            inner.set(name, to: value, at: Array(path.dropFirst()))
        }
        if let index = members.firstIndex(where: { $0.isNamed(next) }) {
            members[index].value = inner
        } else {
            members.append(Member(name: Self.inside(next), value: inner))
        }
        self = .object(members)
    }

    /// The JSON text without white space.
    package var json: [UInt8] {
        var json: [UInt8] = []
        append(to: &json)
        return json
    }

    /// Appends the JSON text to that of the values around it, so that it is copied once at any depth.
    private func append(to json: inout [UInt8]) {
        switch self {
        case .object(let members):
            json.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                Self.append(member.name, to: &json)
                json.append(UInt8(ascii: ":"))
                member.value.append(to: &json)
            }
            json.append(UInt8(ascii: "}"))
        case .array(let values):
            json.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                value.append(to: &json)
            }
            json.append(UInt8(ascii: "]"))
        case .string(let inside): Self.append(inside, to: &json)
        case .word(let word): json.append(contentsOf: word)
        }
    }

    private static func append(_ inside: [UInt8], to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        json.append(contentsOf: inside)
        json.append(UInt8(ascii: "\""))
    }

    /// Escapes a text for use between quotes.
    private static func inside(_ text: String) -> [UInt8] {
        var inside: [UInt8] = []
        JSONText.appendEscaped(text.utf8, to: &inside)
        return inside
    }
}

extension PayloadValue.Member {
    func isNamed(_ text: String) -> Bool {
        // With an escape in it, a name is longer than the text that it writes.
        guard name.count > text.utf8.count else { return name.elementsEqual(text.utf8) }
        return name.contains(UInt8(ascii: "\\")) && JSONText.unescape(name, name.indices).elementsEqual(text.utf8)
    }
}
