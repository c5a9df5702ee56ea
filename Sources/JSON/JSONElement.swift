/// A value within a JSON text, decoded only when it is needed.
///
/// It is for documents of other systems, which are read leniently: a value of another type than the expected one counts as
/// absent, invalid UTF-8 is replaced by U+FFFD, and words such as `NaN` count as null. It keeps positions in the text, so
/// its memory doesn't multiply that of the text.
package struct JSONElement: Sendable {
    private let bytes: [UInt8]
    private let token: ValueToken

    private init(_ bytes: [UInt8], _ token: ValueToken) {
        self.bytes = bytes
        self.token = token
    }

    /// The brackets that may be open at once.
    private static let maximumDepth = 128

    /// Reads a text that is one JSON value, after a byte order mark if there is one.
    ///
    /// - Throws: `JSONSyntaxError` if the text is no JSON, or is cut off.
    package init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        var scanner = JSONScanner(bytes, maximumDepth: Self.maximumDepth)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
        guard scanner.skipSpace() != nil else { throw JSONSyntaxError(what: "the text is empty", offset: 0) }
        let token = try scanner.scanValue(depth: 0)
        guard scanner.skipSpace() == nil else {
            throw JSONSyntaxError(
                what: "there is more text after the end of the JSON document", offset: scanner.position)
        }
        // A bare word such as a form is not JSON, although a scanner can pass over it.
        guard token.type != .other else { throw JSONSyntaxError(what: "the text is not JSON", offset: token.start) }
        self.init(bytes, token)
    }

    package var type: JSONType { token.type }

    /// The value as it is written in the text.
    package var json: String {
        let quote = token.type == .string ? 1 : 0
        return token.type == .other
            ? "null" : String(decoding: bytes[token.start - quote..<token.end + quote], as: UTF8.self)
    }

    /// The decoded string, or `nil` if it is no string.
    package var string: String? {
        guard token.type == .string else { return nil }
        let range = token.start..<token.end
        return String(decoding: token.hasEscapes ? JSONText.unescape(bytes, range)[...] : bytes[range], as: UTF8.self)
    }

    /// A text that is not empty: a string, or a number as it is written.
    package var text: String? {
        switch token.type {
        case .string: string.flatMap { $0.isEmpty ? nil : $0 }
        case .number: json
        default: nil
        }
    }

    /// A finite number, which may be written as a string.
    package var number: Double? {
        text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A Boolean value, which may be written as a string.
    package var bool: Bool? {
        switch token.type {
        case .bool: bytes[token.start] == UInt8(ascii: "t")
        case .string: Bool(string ?? "")
        default: nil
        }
    }

    /// The members of an object, or `nil` if it is none.
    package var object: JSONObject? {
        guard token.type == .object else { return nil }
        var scanner = JSONScanner(bytes, maximumDepth: Self.maximumDepth)
        scanner.position = token.start + 1
        scanner.end = token.end
        var members: [JSONObject.Member] = []
        members.reserveCapacity(8)
        var isFirst = true
        // The text was scanned before, so no error is left to find.
        while members.count < JSONObject.limit, let key = try? scanner.nextMember(isFirst: &isFirst),
            let value = try? scanner.scanValue(depth: 1)
        {
            members.append(.init(key: key, value: value))
        }
        return JSONObject(bytes: bytes, members: members)
    }

    /// The elements of an array, or `nil` if it is none.
    ///
    /// - Throws: `JSONElementError` if the array has more elements than `limit`.
    package func elements(limit: Int) throws(JSONElementError) -> [JSONElement]? {
        guard token.type == .array else { return nil }
        var scanner = JSONScanner(bytes, maximumDepth: Self.maximumDepth)
        scanner.position = token.start + 1
        scanner.end = token.end
        var elements: [JSONElement] = []
        var isFirst = true
        while (try? scanner.nextElement(isFirst: &isFirst)) == true, let value = try? scanner.scanValue(depth: 1) {
            guard elements.count < limit else { throw .tooMany(limit: limit) }
            elements.append(JSONElement(bytes, value))
        }
        return elements
    }

    fileprivate static func value(_ bytes: [UInt8], _ token: ValueToken) -> JSONElement { JSONElement(bytes, token) }
}

/// An array has more elements than are read.
package enum JSONElementError: Error, Equatable {
    case tooMany(limit: Int)
}

/// The members of an object within a JSON text.
package struct JSONObject: Sendable {
    struct Member: Sendable {
        let key: StringToken
        let value: ValueToken
    }

    /// The number of members that are read; those after it count as absent.
    static let limit = 1_000

    fileprivate let bytes: [UInt8]
    fileprivate let members: [Member]

    fileprivate init(bytes: [UInt8], members: [Member]) {
        self.bytes = bytes
        self.members = members
    }

    /// Creates an object without members.
    package init() {
        self.init(bytes: [], members: [])
    }

    /// The value of a member that is not null. Of several members with one name, the last counts.
    package subscript(_ name: String) -> JSONElement? {
        guard let member = members.last(where: { matches($0.key, name) }), member.value.type != .null,
            member.value.type != .other
        else { return nil }
        return .value(bytes, member.value)
    }

    /// Returns the object without the members whose values are longer than a number of bytes.
    package func withoutMembers(longerThan bytes: Int) -> JSONObject {
        JSONObject(bytes: self.bytes, members: members.filter { $0.value.end - $0.value.start <= bytes })
    }

    /// The names and values of all members in the order of the text.
    package var all: [(name: String, value: JSONElement)] {
        members.map { (name($0.key), .value(bytes, $0.value)) }
    }

    private func matches(_ key: StringToken, _ name: String) -> Bool {
        if key.hasEscapes { return self.name(key) == name }
        let utf8 = name.utf8
        guard key.end - key.start == utf8.count else { return false }
        var place = key.start
        for byte in utf8 {
            guard bytes[place] == byte else { return false }
            place &+= 1
        }
        return true
    }

    private func name(_ key: StringToken) -> String {
        let range = key.start..<key.end
        return String(decoding: key.hasEscapes ? JSONText.unescape(bytes, range)[...] : bytes[range], as: UTF8.self)
    }
}
