import JSON

/// Writes properties and unknown fields as one JSON object that PostgreSQL's `jsonb` accepts.
struct PropertiesText {
    private let bytes: [UInt8]
    private let limit: Int
    private let digits: Int
    private var text: [UInt8] = [UInt8(ascii: "{")]

    init(_ bytes: [UInt8], limits: Limits) {
        self.bytes = bytes
        limit = limits.propertiesBytes
        digits = limits.numberDigits
    }

    /// Adds one field under its own name.
    mutating func add(_ field: RawField) throws(EventValidationError) {
        startMember()
        appendQuoted(field.key)
        text.append(UInt8(ascii: ":"))
        if field.type == .string { appendQuoted(field.value) } else { try appendCompact(field.value) }
        try checkLength()
    }

    /// Adds the members of an object. The last of several equal names counts, so call this last.
    mutating func addMembers(of object: RawField) throws(EventValidationError) {
        let before = text.count
        startMember()
        let first = text.count
        try appendCompact(object.value.dropFirst().dropLast())
        if text.count == first { text.removeLast(text.count - before) }
        try checkLength()
    }

    /// Returns the object, or `nil` if it is empty.
    func finish() -> String? {
        text.count > 1 ? String(decoding: text, as: UTF8.self) + "}" : nil
    }

    private mutating func startMember() {
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
    }

    private func checkLength() throws(EventValidationError) {
        guard text.count + 1 <= limit else {
            throw EventValidationError(.fieldTooLong, "properties and unknown fields are longer than \(limit) bytes")
        }
    }

    private mutating func appendQuoted(_ range: Range<Int>) {
        text.append(UInt8(ascii: "\""))
        text.append(contentsOf: bytes[range])
        text.append(UInt8(ascii: "\""))
    }

    /// Appends JSON without white space between its tokens.
    private mutating func appendCompact(_ range: Range<Int>) throws(EventValidationError) {
        var at = range.lowerBound
        while at < range.upperBound {
            switch bytes[at] {
            case 0x20, 0x0A, 0x0D, 0x09:
                at += 1
            case UInt8(ascii: "\""):
                let end = endOfString(at + 1)
                appendQuoted(at + 1..<end)
                at = end + 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                at = try appendNumber(at)
            default:
                text.append(bytes[at])
                at += 1
            }
        }
    }

    private func endOfString(_ start: Int) -> Int {
        var at = start
        while bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
        return at
    }

    private mutating func appendNumber(_ start: Int) throws(EventValidationError) -> Int {
        var end = start
        while end < bytes.count, bytes[end].isInNumber { end += 1 }
        guard DecimalText(bytes.span.extracting(start..<end), limit: digits) != nil else {
            throw EventValidationError(
                .fieldInvalid, "properties or an unknown field contains a number that is too long or too large")
        }
        text.append(contentsOf: bytes[start..<end])
        return end
    }
}

extension UInt8 {
    /// Whether the byte can be part of a JSON number.
    fileprivate var isInNumber: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default:
            false
        }
    }
}
