import Events
import JSON

extension PayloadValue {
    /// The most bytes of a body: more than ten times what any provider accepts.
    package static let longest = 65_536
    private static let deepest = 32

    /// Reads a body, which must be one JSON object. Duplicate names are refused, because readers differ on which one
    /// counts.
    package init(body: [UInt8]) throws(DeclarationError) {
        guard body.count <= Self.longest else {
            throw DeclarationError(.tooMany, "a payload has at most \(Self.longest) bytes")
        }
        let value: PayloadValue
        do throws(JSONSyntaxError) {
            value = try Self.value(body)
        } catch {
            throw DeclarationError(.malformed, "the payload can't be read as JSON: \(error.description)")
        }
        guard value.isObject else { throw DeclarationError(.entry(.invalidJSONType), "the payload is not an object") }
        self = value
    }

    private static func value(_ bytes: [UInt8]) throws(JSONSyntaxError) -> PayloadValue {
        var scanner = JSONScanner(bytes, maximumDepth: deepest)
        _ = try scanner.nextToken()
        let value = try value(&scanner, depth: 0)
        guard scanner.skipSpace() == nil else { throw scanner.unexpected("the end") }
        if let fault = scanner.takeFault() {
            throw JSONSyntaxError(what: "the value there \(fault.kind.what)", offset: fault.offset)
        }
        return value
    }

    /// Reads the value at the scanner's position.
    private static func value(_ scanner: inout JSONScanner, depth: Int) throws(JSONSyntaxError) -> PayloadValue {
        switch scanner.bytes[scanner.position] {
        case UInt8(ascii: "{"):
            try open(&scanner, depth)
            return .object(try members(&scanner, depth))
        case UInt8(ascii: "["):
            try open(&scanner, depth)
            var values: [PayloadValue] = []
            var isFirst = true
            while try scanner.nextElement(isFirst: &isFirst) { values.append(try value(&scanner, depth: depth + 1)) }
            return .array(values)
        default:
            let token = try scanner.scanValue(depth: depth)
            let bytes = Array(scanner.bytes[token.start..<token.end])
            return token.type == .string ? .string(bytes) : .word(bytes)
        }
    }

    private static func members(_ scanner: inout JSONScanner, _ depth: Int) throws(JSONSyntaxError) -> [Member] {
        var members: [Member] = []
        var names: Set<[UInt8]> = []
        var isFirst = true
        while let key = try scanner.nextMember(isFirst: &isFirst) {
            guard names.insert(JSONText.unescape(scanner.bytes, key.start..<key.end)).inserted else {
                throw JSONSyntaxError(what: "a name appears twice", offset: key.start)
            }
            let name = Array(scanner.bytes[key.start..<key.end])
            members.append(Member(name: name, value: try value(&scanner, depth: depth + 1)))
        }
        return members
    }

    private static func open(_ scanner: inout JSONScanner, _ depth: Int) throws(JSONSyntaxError) {
        guard depth < deepest else {
            throw JSONSyntaxError(what: "objects and arrays are nested too deeply", offset: scanner.position)
        }
        scanner.position += 1
    }
}
