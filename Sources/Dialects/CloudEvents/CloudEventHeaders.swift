import JSON

/// The binary mode: attributes in headers with the prefix `ce-`, and data as the body.
enum CloudEventHeaders {
    private static let prefix = "ce-"

    static func arePresent(in request: DialectRequest) -> Bool {
        request.headers.keys.contains { $0.hasPrefix(prefix) }
    }

    /// Returns the event as the document that the structured mode would have.
    static func event(_ request: DialectRequest) throws(DialectError) -> JSONElement {
        var members: [(key: String, json: String)] = []
        // The type of the data is that of the body, so an attribute for it, which may not be there, says nothing.
        let reserved = ["data", "data_base64", "datacontenttype"]
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) {
            let name = String(name.dropFirst(prefix.count))
            guard !name.isEmpty, !reserved.contains(name) else { continue }
            guard let text = decode(value) else { throw .malformed("an attribute is no valid UTF-8") }
            members.append((name, JSONText.string(text)))
        }
        if let type = request.headers["content-type"], !type.isEmpty {
            members.append(("datacontenttype", JSONText.string(type)))
        }
        if let data = try data(request) { members.append(("data", data)) }
        return try .body(Array(JSONText.object(members).utf8))
    }

    /// Returns the body as JSON, or `nil` if it is something else.
    private static func data(_ request: DialectRequest) throws(DialectError) -> String? {
        guard !request.body.isEmpty else { return nil }
        let type = request.mediaType
        if type.hasSuffix("/json") || type.hasSuffix("+json") { return try JSONElement.body(request.body).json }
        return try? JSONElement(request.body).json
    }

    /// Decodes a value: first quotes with backslashes within, as older versions wrote them, then percent signs once.
    ///
    /// - Returns: `nil` if the result is not UTF-8, or the header had bytes that are not.
    static func decode(_ value: String) -> String? {
        // The server has replaced such bytes already, so what they were can't be known.
        guard !value.unicodeScalars.contains("\u{FFFD}") else { return nil }
        let text = unquoted(Array(value.utf8))
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count, let high = text[index + 1].hexValue,
                let low = text[index + 2].hexValue
            {
                bytes.append(UInt8(high << 4 | low))
                index += 3
            } else {
                // Older versions don't encode the sign itself.
                bytes.append(text[index])
                index += 1
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func unquoted(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(UInt8(ascii: "\"")) else { return text }
        var bytes: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        for byte in text {
            if isEscaped {
                bytes.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
