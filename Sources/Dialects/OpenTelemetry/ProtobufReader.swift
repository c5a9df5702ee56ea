import JSON

/// Reads the fields of a message in the binary encoding of Protocol Buffers, one after the other.
struct ProtobufReader {
    enum Value {
        case varint(UInt64)
        case fixed64(UInt64)
        /// The position of a string, of bytes or of a message.
        case bytes(Range<Int>)
        case fixed32
    }

    let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// Returns the next field, or `nil` at the end of the message.
    ///
    /// - Throws: `ProtobufError` if the message is cut off, or no message.
    mutating func next() throws(ProtobufError) -> (number: Int, value: Value)? {
        guard position < end else { return nil }
        let tag = try varint()
        guard tag >> 3 > 0, tag >> 3 <= 0x1FFF_FFFF else { throw ProtobufError() }
        let number = Int(tag >> 3)
        switch tag & 7 {
        case 0: return (number, .varint(try varint()))
        case 1: return (number, .fixed64(try fixed64()))
        case 2:
            let length = try varint()
            guard length <= UInt64(end - position) else { throw ProtobufError() }
            let range = position..<position + Int(length)
            position = range.upperBound
            return (number, .bytes(range))
        case 5:
            guard end - position >= 4 else { throw ProtobufError() }
            position += 4
            return (number, .fixed32)
        // Groups are deprecated; no message of OpenTelemetry has any.
        default: throw ProtobufError()
        }
    }

    private mutating func varint() throws(ProtobufError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard position < end else { throw ProtobufError() }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw ProtobufError()
    }

    private mutating func fixed64() throws(ProtobufError) -> UInt64 {
        guard end - position >= 8 else { throw ProtobufError() }
        var value: UInt64 = 0
        for offset in 0..<8 { value |= UInt64(bytes[position + offset]) << UInt64(8 * offset) }
        position += 8
        return value
    }

    /// The text of a string.
    func text(_ range: Range<Int>) -> String { String(lenient: bytes[range]) }

    /// Whether a string begins with a text.
    func starts(_ range: Range<Int>, with text: StaticString) -> Bool {
        guard range.count >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in text.indices.allSatisfy { bytes[range.lowerBound + $0] == text[$0] } }
    }
}

/// The bytes are no message, or one that is cut off.
struct ProtobufError: Error {}

/// Writes the few fields of a response.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: Int, varint value: UInt64) {
        append(UInt64(number) << 3)
        append(value)
    }

    mutating func write(_ number: Int, _ value: some Collection<UInt8>) {
        append(UInt64(number) << 3 | 2)
        append(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    private mutating func append(_ varint: UInt64) {
        var rest = varint
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
