/// A JSON value as bytes that are the same for equal values, so that each value is read once, however many it is
/// compared with.
///
/// Values are equal as in PostgreSQL's `jsonb`: the order of members does not matter, the last of several members with
/// one name counts, numbers are compared by value, and texts by the bytes of their characters, whatever their escapes.
///
/// It takes time in proportion to the length of the text. Two kinds of values, of which no stored event has any, are
/// compared as they are written: numbers that `DecimalText` does not read, and what lies deeper than 64 brackets.
package struct CanonicalJSON: Sendable, Equatable {
    private let bytes: [UInt8]

    /// Reads a text that is one JSON value.
    package init(_ text: [UInt8]) throws(JSONSyntaxError) {
        var writer = CanonicalWriter(text)
        try writer.addDocument()
        bytes = writer.bytes
    }
}

/// Writes each value after a byte that says its type, and so that its end is certain.
private struct CanonicalWriter {
    /// A member of an object in what is written: its name from `start` to `value`, then its value.
    private struct Member {
        let start: Int
        let value: Int
        let end: Int
    }

    /// The depth of nesting up to which the members of objects are sorted, so that recursion is bounded.
    private static let depth = 64

    private var scanner: JSONScanner
    private(set) var bytes: [UInt8] = []

    init(_ text: [UInt8]) {
        scanner = JSONScanner(text, maximumDepth: Self.depth)
        bytes.reserveCapacity(2 * text.count + 16)
    }

    mutating func addDocument() throws(JSONSyntaxError) {
        _ = try scanner.nextToken()
        try addValue(depth: 0)
        guard scanner.skipSpace() == nil else { throw scanner.unexpected("the end of the text") }
    }

    private mutating func addValue(depth: Int) throws(JSONSyntaxError) {
        let first = scanner.bytes[scanner.position]
        if depth < Self.depth, first == UInt8(ascii: "{") {
            try addObject(depth: depth + 1)
        } else if depth < Self.depth, first == UInt8(ascii: "[") {
            try addArray(depth: depth + 1)
        } else {
            let token = try scanner.scanValue(depth: depth)
            add(token)
        }
    }

    private mutating func addArray(depth: Int) throws(JSONSyntaxError) {
        scanner.position += 1
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        while try scanner.nextElement(isFirst: &isFirst) { try addValue(depth: depth) }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func addObject(depth: Int) throws(JSONSyntaxError) {
        scanner.position += 1
        bytes.append(UInt8(ascii: "{"))
        let first = bytes.count
        var members: [Member] = []
        var isFirst = true
        while let key = try scanner.nextMember(isFirst: &isFirst) {
            let start = bytes.count
            addText(key.start..<key.end, hasEscapes: key.hasEscapes)
            let value = bytes.count
            try addValue(depth: depth)
            members.append(Member(start: start, value: value, end: bytes.count))
        }
        sort(members, from: first)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func add(_ token: ValueToken) {
        let range = token.start..<token.end
        switch token.type {
        case .string: addText(range, hasEscapes: token.hasEscapes)
        case .number: addNumber(range)
        case .null, .bool, .array, .object, .other: addPlain(range, type: UInt8(ascii: "w"))
        }
    }

    private mutating func addNumber(_ range: Range<Int>) {
        let text = scanner.bytes
        guard let number = DecimalText(text.span.extracting(range)) else {
            return addPlain(range, type: UInt8(ascii: "w"))
        }
        bytes.append(UInt8(ascii: "n"))
        number.appendCanonical(to: &bytes)
    }

    private mutating func addText(_ range: Range<Int>, hasEscapes: Bool) {
        guard hasEscapes else { return addPlain(range, type: UInt8(ascii: "s")) }
        let text = JSONText.unescape(scanner.bytes, range)
        addHead(type: UInt8(ascii: "s"), length: text.count)
        bytes.append(contentsOf: text)
    }

    /// Adds a part of the text as it is.
    private mutating func addPlain(_ range: Range<Int>, type: UInt8) {
        addHead(type: type, length: range.count)
        bytes.append(contentsOf: scanner.bytes[range])
    }

    private mutating func addHead(type: UInt8, length: Int) {
        bytes.append(type)
        bytes.append(decimal: UInt(length))
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: Members

    /// Brings the members that were written last into the order of their names, each name once.
    ///
    /// - Parameter first: The position of the first member.
    private mutating func sort(_ members: [Member], from first: Int) {
        let isSorted = zip(members, members.dropFirst()).allSatisfy { order($0, $1) < 0 }
        guard !isSorted else { return }
        let sorted = members.sorted { one, other in
            let difference = order(one, other)
            return difference == 0 ? one.start < other.start : difference < 0
        }
        // Of several members with one name, the last counts.
        let kept = sorted.indices.filter { $0 + 1 == sorted.count || order(sorted[$0], sorted[$0 + 1]) != 0 }
        let written = Array(bytes[first...])
        bytes.removeSubrange(first...)
        for place in kept {
            let member = sorted[place]
            bytes.append(contentsOf: written[member.start - first..<member.end - first])
        }
    }

    /// Compares the names of two members, by their length and then by their bytes; 0 if they are equal.
    private func order(_ one: Member, _ other: Member) -> Int {
        let length = one.value - one.start
        guard length == other.value - other.start else { return length - (other.value - other.start) }
        for offset in 0..<length {
            let difference = Int(bytes[one.start + offset]) - Int(bytes[other.start + offset])
            if difference != 0 { return difference }
        }
        return 0
    }
}
