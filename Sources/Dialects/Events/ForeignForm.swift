import JSON

/// A body that holds JSON in some wrapping: plain, as base64, or in the field `data` of a form.
enum ForeignForm {
    /// The most fields that are read of a form.
    private static let limit = 1_000

    /// The fields of a form (`application/x-www-form-urlencoded`), decoded leniently: what is no escape stays as it is.
    static func fields(_ body: [UInt8]) -> [DialectRequest.Parameter] {
        raw(body).prefix(limit).map { field in
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return DialectRequest.Parameter(parts.first.map(decode) ?? "", parts.count == 2 ? decode(parts[1]) : "")
        }
    }

    /// The first value of a field of a form; nothing else of the form is decoded.
    static func field(_ name: String, of body: [UInt8]) -> String? {
        let start = Array("\(name)=".utf8)
        return raw(body).prefix(limit).first { $0.starts(with: start) }.map { decode($0.dropFirst(start.count)) }
    }

    /// The fields of a form one after the other, so that a body of separators alone takes no memory.
    private static func raw(_ body: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
        sequence(state: body[...]) { (rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? in
            rest = rest.drop { $0 == UInt8(ascii: "&") }
            guard !rest.isEmpty else { return nil }
            let field = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[field.endIndex...]
            return field
        }
    }

    /// Reads JSON from a body, whatever its wrapping and its declared media type.
    static func json(_ body: [UInt8]) throws(DialectError) -> JSONElement {
        guard !startsAsJSON(body), let data = field("data", of: body) else {
            return try json(of: body)
        }
        return try json(of: Array(data.utf8))
    }

    /// Reads JSON from a text that is JSON, or base64 of JSON.
    static func json(of text: [UInt8]) throws(DialectError) -> JSONElement {
        if !startsAsJSON(text), let decoded = Base64Text.decode(String(decoding: text, as: UTF8.self)),
            startsAsJSON(decoded)
        {
            return try .body(decoded)
        }
        return try .body(text)
    }

    /// Whether a text begins as an object or an array.
    static func startsAsJSON(_ text: [UInt8]) -> Bool {
        let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let first = text[start...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var at = text.startIndex
        while at < text.endIndex {
            if text[at] == UInt8(ascii: "%"), at + 2 < text.endIndex, let high = text[at + 1].hexValue,
                let low = text[at + 2].hexValue
            {
                bytes.append(high << 4 | low)
                at += 3
            } else {
                bytes.append(text[at] == UInt8(ascii: "+") ? 0x20 : text[at])
                at += 1
            }
        }
        return String(lenient: bytes)
    }
}
