import AfterpushWire
import Events
import JSON

/// The members of a JSON object in a receipt.
///
/// Duplicate names are refused: readers that take the first and readers that take the last would see different receipts.
struct ReceiptObject {
    private let bytes: [UInt8]
    private var values: [[UInt8]: ValueToken] = [:]

    init(_ bytes: [UInt8]) throws(ReceiptError) {
        self.bytes = bytes
        do throws(JSONSyntaxError) {
            try readMembers()
        } catch {
            throw .invalid
        }
    }

    private mutating func readMembers() throws(JSONSyntaxError) {
        var scanner = JSONScanner(bytes, maximumDepth: 8)
        guard try scanner.nextToken() == UInt8(ascii: "{") else { throw scanner.unexpected("an object") }
        scanner.position += 1
        var isFirst = true
        while let key = try scanner.nextMember(isFirst: &isFirst) {
            let name = JSONText.unescape(bytes, key.start..<key.end)
            let value = try scanner.scanValue(depth: 1)
            guard values.updateValue(value, forKey: name) == nil, scanner.takeFault() == nil else {
                throw scanner.unexpected("a member that appears once and is valid")
            }
        }
        guard scanner.skipSpace() == nil else { throw scanner.unexpected("the end") }
    }

    /// Whether the object has a member with the name, null included.
    func has(_ name: String) -> Bool {
        values[Array(name.utf8)] != nil
    }

    /// Returns a string, or `nil` if the member is absent or null.
    func text(_ name: String) throws(ReceiptError) -> String? {
        guard let value = try value(name, .string) else { return nil }
        return String(lenient: JSONText.unescape(bytes, value.start..<value.end))
    }

    func integer(_ name: String) throws(ReceiptError) -> Int32? {
        guard let value = try value(name, .number) else { return nil }
        guard let number = DecimalText(bytes.span.extracting(value.start..<value.end))?.integer else { throw .invalid }
        return number
    }

    /// Reads a NumericDate: seconds since 1970, with or without decimals.
    func time(_ name: String) throws(ReceiptError) -> Timestamp? {
        guard let value = try value(name, .number) else { return nil }
        let text = String(decoding: bytes[value.start..<value.end], as: UTF8.self)
        let latest = Double(Timestamp.latest.microseconds / 1_000_000)
        guard let seconds = Double(text), 0...latest ~= seconds else { throw .invalid }
        return Timestamp(microseconds: Int64((seconds * 1_000_000).rounded()))
    }

    private func value(_ name: String, _ type: JSONType) throws(ReceiptError) -> ValueToken? {
        guard let value = values[Array(name.utf8)], value.type != .null else { return nil }
        guard value.type == type else { throw .invalid }
        return value
    }
}
