import AfterpushWire
import JSON

/// Reads a JSON document in a time that grows with its length, and within limits.
///
/// `JSONDecoder` tries one type after the other for each value, and builds millions of them before any can be counted.
struct JSONValueReader {
    enum Failure: Error, Equatable {
        /// The text is not JSON, or nested too deeply.
        case malformed
        /// An array or object has more entries than the limit.
        case tooManyEntries(limit: Int)
        /// The whole document has more values than the limit.
        case tooManyValues(limit: Int)
    }

    /// The brackets that may be open at once.
    private static let deepest = 128
    /// The most values of a document: more than 8 MiB of JSON have, if each has a name.
    private static let mostValues = 700_000

    private var scanner: JSONScanner
    private let mostEntries: Int
    private var values = 0

    /// Reads a text that is one JSON value, after a byte order mark if there is one.
    ///
    /// - Parameter mostEntries: The most entries of each array and object.
    static func read(_ bytes: [UInt8], mostEntries: Int) throws(Failure) -> JSONValue {
        var reader = JSONValueReader(bytes, mostEntries: mostEntries)
        do {
            return try reader.readDocument()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure.malformed
        }
    }

    private init(_ bytes: [UInt8], mostEntries: Int) {
        scanner = JSONScanner(bytes, maximumDepth: Self.deepest)
        self.mostEntries = mostEntries
    }

    private mutating func readDocument() throws -> JSONValue {
        if scanner.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
        _ = try scanner.nextToken()
        let document = try readValue(depth: 0)
        guard scanner.skipSpace() == nil else { throw Failure.malformed }
        // NUL is valid, and whoever reads the value finds it.
        if let fault = scanner.takeFault(), fault.kind.isSyntax { throw Failure.malformed }
        return document
    }

    /// Reads the value at the scanner's position.
    private mutating func readValue(depth: Int) throws -> JSONValue {
        values += 1
        guard values <= Self.mostValues else { throw Failure.tooManyValues(limit: Self.mostValues) }
        switch scanner.bytes[scanner.position] {
        case UInt8(ascii: "{"):
            try open(depth)
            return .object(try readMembers(depth: depth + 1))
        case UInt8(ascii: "["):
            try open(depth)
            return .array(try readElements(depth: depth + 1))
        default:
            return try readPlainValue(depth: depth)
        }
    }

    private mutating func readPlainValue(depth: Int) throws -> JSONValue {
        let token = try scanner.scanValue(depth: depth)
        let range = token.start..<token.end
        switch token.type {
        case .null: return .null
        case .bool: return .bool(scanner.bytes[token.start] == UInt8(ascii: "t"))
        case .string: return .string(text(range, hasEscapes: token.hasEscapes))
        case .number:
            guard let number = Double(text(range, hasEscapes: false)), number.isFinite else {
                throw Failure.malformed
            }
            return .number(number)
        case .array, .object, .other: throw Failure.malformed
        }
    }

    private mutating func readMembers(depth: Int) throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        var isFirst = true
        var count = 0
        while let key = try scanner.nextMember(isFirst: &isFirst) {
            try checkEntry(&count)
            let name = text(key.start..<key.end, hasEscapes: key.hasEscapes)
            let member = try readValue(depth: depth)
            // Of several members with one name, the first counts.
            if members[name] == nil { members[name] = member }
        }
        return members
    }

    private mutating func readElements(depth: Int) throws -> [JSONValue] {
        var elements: [JSONValue] = []
        var isFirst = true
        var count = 0
        while try scanner.nextElement(isFirst: &isFirst) {
            try checkEntry(&count)
            elements.append(try readValue(depth: depth))
        }
        return elements
    }

    /// Moves behind an opening bracket.
    private mutating func open(_ depth: Int) throws(Failure) {
        guard depth < Self.deepest else { throw .malformed }
        scanner.position += 1
    }

    private func checkEntry(_ count: inout Int) throws(Failure) {
        count += 1
        guard count <= mostEntries else { throw .tooManyEntries(limit: mostEntries) }
    }

    private func text(_ range: Range<Int>, hasEscapes: Bool) -> String {
        let bytes = hasEscapes ? JSONText.unescape(scanner.bytes, range)[...] : scanner.bytes[range]
        return String(decoding: bytes, as: UTF8.self)
    }
}
