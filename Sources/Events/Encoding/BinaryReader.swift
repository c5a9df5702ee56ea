package import AfterpushWire
package import Foundation

/// Reads the values that `BinaryWriter` wrote; invalid bytes throw an error and never trap.
package struct BinaryReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package var isAtEnd: Bool { position == bytes.endIndex }

    package mutating func number<Number: FixedWidthInteger>(
        _: Number.Type = Number.self
    ) throws(BinaryFormatError) -> Number {
        var number: Number = 0
        // There are as many bytes as the type has, so the shift never exceeds its width.
        for byte in try take(MemoryLayout<Number>.size) {
            number = (Number.bitWidth > 8 ? number << 8 : 0) | Number(truncatingIfNeeded: byte)
        }
        return number
    }

    package mutating func flag() throws(BinaryFormatError) -> Bool {
        switch try number(UInt8.self) {
        case 0: return false
        case 1: return true
        default: throw .malformed
        }
    }

    package mutating func time() throws(BinaryFormatError) -> Timestamp {
        Timestamp(microseconds: try number())
    }

    package mutating func id() throws(BinaryFormatError) -> UUID {
        UUID(high: try number(), low: try number())
    }

    package mutating func data() throws(BinaryFormatError) -> ArraySlice<UInt8> {
        try take(Int(try number(UInt32.self)))
    }

    package mutating func text() throws(BinaryFormatError) -> String {
        guard let text = String(validating: try data(), as: UTF8.self) else { throw .malformed }
        return text
    }

    package mutating func optional<Value>(
        _ body: (inout BinaryReader) throws(BinaryFormatError) -> Value
    ) throws(BinaryFormatError) -> Value? {
        try flag() ? try body(&self) : nil
    }

    package mutating func optionalText() throws(BinaryFormatError) -> String? {
        try flag() ? try text() : nil
    }

    /// Reads one of the raw values of a type.
    package mutating func word<Word: RawRepresentable<String>>() throws(BinaryFormatError) -> Word {
        guard let word = Word(rawValue: try text()) else { throw .malformed }
        return word
    }

    package mutating func optionalWord<Word: RawRepresentable<String>>() throws(BinaryFormatError) -> Word? {
        try flag() ? try word() : nil
    }

    private mutating func take(_ count: Int) throws(BinaryFormatError) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - position else { throw .malformed }
        defer { position += count }
        return bytes[position..<position + count]
    }
}

/// The reason why an entry of the spool can't be read.
package enum BinaryFormatError: Error, Sendable, Equatable {
    /// The entry has a version that this program doesn't know.
    case unknownVersion(UInt8)
    /// The bytes are not a valid entry.
    case malformed
}
