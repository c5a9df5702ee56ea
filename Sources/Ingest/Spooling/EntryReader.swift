import AfterpushWire
import Foundation

/// Reads what `EntryWriter` wrote; bytes that it can't have written are an error, never a trap.
struct EntryReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func number<Number: FixedWidthInteger>(
        _: Number.Type = Number.self
    ) throws(SpoolEntryError) -> Number {
        var number: Number = 0
        // As wide as the type, so the shift below is never by more than it has.
        for byte in try take(MemoryLayout<Number>.size) {
            number = (Number.bitWidth > 8 ? number << 8 : 0) | Number(truncatingIfNeeded: byte)
        }
        return number
    }

    mutating func flag() throws(SpoolEntryError) -> Bool {
        switch try number(UInt8.self) {
        case 0: return false
        case 1: return true
        default: throw .malformed
        }
    }

    mutating func time() throws(SpoolEntryError) -> Timestamp {
        Timestamp(microseconds: try number())
    }

    mutating func id() throws(SpoolEntryError) -> UUID {
        UUID(high: try number(), low: try number())
    }

    mutating func data() throws(SpoolEntryError) -> ArraySlice<UInt8> {
        try take(Int(try number(UInt32.self)))
    }

    mutating func text() throws(SpoolEntryError) -> String {
        guard let text = String(validating: try data(), as: UTF8.self) else { throw .malformed }
        return text
    }

    mutating func optional<Value>(
        _ body: (inout EntryReader) throws(SpoolEntryError) -> Value
    ) throws(SpoolEntryError) -> Value? {
        try flag() ? try body(&self) : nil
    }

    mutating func optionalText() throws(SpoolEntryError) -> String? {
        try flag() ? try text() : nil
    }

    /// One of the words that a type has.
    mutating func word<Word: RawRepresentable<String>>() throws(SpoolEntryError) -> Word {
        guard let word = Word(rawValue: try text()) else { throw .malformed }
        return word
    }

    mutating func optionalWord<Word: RawRepresentable<String>>() throws(SpoolEntryError) -> Word? {
        try flag() ? try word() : nil
    }

    private mutating func take(_ count: Int) throws(SpoolEntryError) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - position else { throw .malformed }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
