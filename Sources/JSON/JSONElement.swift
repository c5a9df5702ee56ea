/// A value within a JSON text, decoded only when it is needed.
///
/// It is for documents of other systems, which are read leniently: a value of another type than the expected one counts
/// as absent, texts are decoded by `String(lenient:)`, and words such as `NaN` count as null. It is a position in the
/// text, which `JSONDocument` keeps.
package struct JSONElement: Sendable {
    private let document: JSONDocument
    private let place: Int

    fileprivate init(_ document: JSONDocument, _ place: Int) {
        self.document = document
        self.place = place
    }

    /// The brackets that may be open at once.
    private static let maximumDepth = 128

    /// Reads a text that is one JSON value, after a byte order mark if there is one.
    ///
    /// - Throws: `JSONSyntaxError` if the text is no JSON, or is cut off.
    package init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        // Positions have 32 bits.
        guard bytes.count < Int(UInt32.max) else { throw JSONSyntaxError(what: "the text is too long", offset: 0) }
        var scanner = JSONScanner(bytes, maximumDepth: Self.maximumDepth)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
        guard scanner.skipSpace() != nil else { throw JSONSyntaxError(what: "the text is empty", offset: 0) }
        let document = try JSONDocument(&scanner)
        guard scanner.skipSpace() == nil else {
            throw JSONSyntaxError(
                what: "there is more text after the end of the JSON document", offset: scanner.position)
        }
        self.init(document, 0)
        // A bare word such as a form is not JSON, although a scanner can pass over it.
        guard type != .other else {
            throw JSONSyntaxError(what: "the text is not JSON", offset: value.range.lowerBound)
        }
    }

    private var value: JSONDocument.Value { document.values[place] }

    package var type: JSONType { value.type }

    /// The value as it is written in the text.
    package var json: String {
        type == .other ? "null" : String(decoding: document.bytes[value.written], as: UTF8.self)
    }

    /// The decoded string, or `nil` if it is no string.
    package var string: String? {
        let value = value
        return value.type == .string ? document.text(value.range, hasEscapes: value.hasEscapes) : nil
    }

    /// A text that is not empty: a string, or a number as it is written.
    package var text: String? {
        let value = value
        switch value.type {
        case .string where !value.range.isEmpty: return document.text(value.range, hasEscapes: value.hasEscapes)
        case .number: return json
        default: return nil
        }
    }

    /// A finite number, which may be written as a string.
    package var number: Double? {
        text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A Boolean value, which may be written as a string.
    package var bool: Bool? {
        switch type {
        case .bool: document.bytes[value.range.lowerBound] == UInt8(ascii: "t")
        case .string: Bool(string ?? "")
        default: nil
        }
    }

    /// The members of an object, or `nil` if it is none.
    package var object: JSONObject? { type == .object ? opened.map { JSONObject($0.document, $0.place) } : nil }

    /// The elements of an array, or `nil` if it is none.
    ///
    /// - Parameter limit: At most 5,000.
    /// - Throws: `JSONElementError` if the array has more elements than `limit`.
    package func elements(limit: Int) throws(JSONElementError) -> [JSONElement]? {
        precondition(limit < JSONDocument.elements)
        guard type == .array, let opened else { return nil }
        let values = opened.document.values
        var elements: [JSONElement] = []
        var place = opened.place + 1
        while place < Int(opened.value.next) {
            guard elements.count < limit else { throw .tooMany(limit: limit) }
            elements.append(JSONElement(opened.document, place))
            place = Int(values[place].next)
        }
        return elements
    }

    /// An object or array whose content is listed: itself, or its copy in a document of its own.
    private var opened: JSONElement? {
        if value.isOpen { return self }
        var scanner = JSONScanner(document.bytes, maximumDepth: Self.maximumDepth)
        scanner.position = value.range.lowerBound
        scanner.end = value.range.upperBound
        // The text was scanned before, so no error is left to find.
        return (try? JSONDocument(&scanner)).map { JSONElement($0, 0) }
    }
}

/// An array has more elements than are read.
package enum JSONElementError: Error, Equatable {
    case tooMany(limit: Int)
}

/// The members of an object within a JSON text, at most 1,000; those after it count as absent.
package struct JSONObject: Sendable {
    /// The text, or `nil` for an object without members.
    private let document: JSONDocument?
    private let place: Int
    /// The members that are looked at; the others count as absent.
    private var bounds = JSONMemberBounds()

    fileprivate init(_ document: JSONDocument, _ place: Int) {
        self.document = document
        self.place = place
    }

    /// Creates an object without members.
    package init() {
        document = nil
        place = 0
    }

    /// The value of a member that is not null. Of several members with one name, the last counts.
    package subscript(_ name: StaticString) -> JSONElement? {
        // Names in the code need no copy to be compared, and each event looks for dozens of them.
        name.withUTF8Buffer { value($0) }
    }

    /// Returns the value of a member that is not null, by a name that is not known before.
    package func value(named name: String) -> JSONElement? {
        var name = name
        return name.withUTF8 { value($0) }
    }

    private func value(_ name: UnsafeBufferPointer<UInt8>) -> JSONElement? {
        guard let document, let place = document.member(name, of: place, bounds) else { return nil }
        let type = document.values[place].type
        return type == .null || type == .other ? nil : JSONElement(document, place)
    }

    /// Returns the object without the members whose name and value together are longer than a number of bytes.
    package func withoutMembers(longerThan bytes: Int) -> JSONObject {
        var object = self
        object.bounds.length = bytes
        return object
    }

    /// Returns the object without its members after a number of them.
    package func withoutMembers(after count: Int) -> JSONObject {
        var object = self
        object.bounds.count = count
        return object
    }

    /// The names and values of all members in the order of the text.
    package var all: [(name: String, value: JSONElement)] {
        guard let document else { return [] }
        var members: [(name: String, value: JSONElement)] = []
        var place = place + 1
        let end = Int(document.values[self.place].next)
        var count = 0
        while place < end, count < bounds.count {
            count += 1
            let value = document.values[place]
            if bounds.allow(value) {
                let name = document.text(value.key, hasEscapes: value.keyHasEscapes)
                members.append((name, JSONElement(document, place)))
            }
            place = Int(value.next)
        }
        return members
    }
}

/// Which members of an object are looked at.
private struct JSONMemberBounds {
    /// The most bytes of a name and its value.
    var length = Int.max
    /// The number of members, those included that are too long.
    var count = Int.max

    func allow(_ member: JSONDocument.Value) -> Bool { member.keyLength + member.range.count <= length }
}

extension JSONDocument {
    /// Returns the content of a string.
    fileprivate func text(_ range: Range<Int>, hasEscapes: Bool) -> String {
        String(lenient: hasEscapes ? JSONText.unescape(bytes, range)[...] : bytes[range])
    }

    /// Returns the place of the last member of an object that has a name, among those within some bounds.
    fileprivate func member(
        _ name: UnsafeBufferPointer<UInt8>, of object: Int, _ bounds: JSONMemberBounds
    ) -> Int? {
        var found: Int?
        var place = object + 1
        let end = Int(values[object].next)
        var count = 0
        while place < end, count < bounds.count {
            count += 1
            let value = values[place]
            if value.mayBeNamed(name.count), matches(value, name), bounds.allow(value) { found = place }
            place = Int(value.next)
        }
        return found
    }

    private func matches(_ member: Value, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        if member.keyHasEscapes { return JSONText.unescape(bytes, member.key).elementsEqual(name) }
        var place = Int(member.keyStart)
        for byte in name {
            guard bytes[place] == byte else { return false }
            place &+= 1
        }
        return true
    }
}

extension JSONDocument.Value {
    /// Whether the name can have a number of bytes; an escape takes up to six bytes for each of them.
    ///
    /// It is asked before a name is decoded, which takes as long as its sender likes.
    fileprivate func mayBeNamed(_ length: Int) -> Bool {
        keyHasEscapes ? keyLength >= length && keyLength <= 6 * length : keyLength == length
    }
}
