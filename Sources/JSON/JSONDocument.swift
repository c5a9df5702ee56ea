/// A JSON text and the positions of its values, found in one pass.
///
/// Each value is followed by those within it. Objects and arrays that lie deep, or for which there is no room, are not
/// opened: their content is found when it is asked for, by a pass of its own. So the recursion is shallow whatever a
/// sender nests, and the list is bounded: that of a batch of events takes about as much memory as its text, and that of
/// any text at most two megabytes.
final class JSONDocument: Sendable {
    /// A value, and the name that it has if it is a member of an object.
    struct Value: Sendable {
        let keyStart, keyEnd: UInt32
        let start: UInt32
        fileprivate(set) var end: UInt32
        /// The place of the next value that isn't within this one.
        fileprivate(set) var next: UInt32
        let type: JSONType
        let hasEscapes, keyHasEscapes: Bool
        /// Whether the values within an object or array are listed.
        fileprivate(set) var isOpen = false

        var range: Range<Int> { Int(start)..<Int(end) }
        var key: Range<Int> { Int(keyStart)..<Int(keyEnd) }
        var keyLength: Int { Int(keyEnd &- keyStart) }
        /// The value as it is written, with the quotes of a string.
        var written: Range<Int> {
            let quote = type == .string ? 1 : 0
            return Int(start) - quote..<Int(end) + quote
        }
    }

    /// The number of members of an object that are listed; those after them count as absent.
    static let members = 1_000
    /// The number of elements of an array that are listed.
    static let elements = 5_001

    let bytes: [UInt8]
    /// The document's own value, and all that are listed within it.
    let values: [Value]

    /// Reads the value at a scanner's position, and leaves the scanner behind it.
    init(_ scanner: inout JSONScanner) throws(JSONSyntaxError) {
        var list = ValueList(room: scanner.end - scanner.position)
        try list.add(nil, &scanner, depth: 0)
        bytes = scanner.bytes
        values = list.values
    }
}

/// Lists the values of a text in their order.
private struct ValueList {
    /// The depth of nesting up to which objects and arrays are opened.
    private static let depth = 8
    /// The number of values at which no object or array is opened any more.
    private static let room = 32_768

    private(set) var values: [JSONDocument.Value] = []
    private let room: Int

    /// Creates an empty list with room for the values of a text.
    ///
    /// - Parameter bytes: The length of the text. The values of an event have more than 16 bytes each, as a rule.
    init(room bytes: Int) {
        room = min(bytes / 16, Self.room)
        values.reserveCapacity(room + 16)
    }

    /// Adds the value at a scanner's position, with those within it.
    mutating func add(
        _ key: StringToken?, _ scanner: inout JSONScanner, depth: Int
    ) throws(JSONSyntaxError) {
        let byte = scanner.bytes[scanner.position]
        let isObject = byte == UInt8(ascii: "{")
        guard isObject || byte == UInt8(ascii: "["), depth == 0 || depth < Self.depth && values.count < room else {
            return append(key, try scanner.scanValue(depth: depth))
        }
        let place = values.count
        let start = scanner.position
        append(key, ValueToken(type: isObject ? .object : .array, start: start, end: start))
        scanner.position += 1
        if isObject {
            try addMembers(&scanner, depth: depth + 1)
        } else {
            try addElements(&scanner, depth: depth + 1)
        }
        values[place].isOpen = true
        values[place].end = UInt32(scanner.position)
        values[place].next = UInt32(values.count)
    }

    private mutating func addMembers(_ scanner: inout JSONScanner, depth: Int) throws(JSONSyntaxError) {
        var isFirst = true
        var count = 0
        while let key = try scanner.nextMember(isFirst: &isFirst) {
            count += 1
            if count <= JSONDocument.members {
                try add(key, &scanner, depth: depth)
            } else {
                _ = try scanner.scanValue(depth: depth)
            }
        }
    }

    private mutating func addElements(_ scanner: inout JSONScanner, depth: Int) throws(JSONSyntaxError) {
        var isFirst = true
        var count = 0
        while try scanner.nextElement(isFirst: &isFirst) {
            count += 1
            if count <= JSONDocument.elements {
                try add(nil, &scanner, depth: depth)
            } else {
                _ = try scanner.scanValue(depth: depth)
            }
        }
    }

    private mutating func append(_ key: StringToken?, _ token: ValueToken) {
        values.append(
            JSONDocument.Value(
                keyStart: UInt32(key?.start ?? 0), keyEnd: UInt32(key?.end ?? 0), start: UInt32(token.start),
                end: UInt32(token.end), next: UInt32(values.count + 1), type: token.type,
                hasEscapes: token.hasEscapes, keyHasEscapes: key?.hasEscapes ?? false))
    }
}
