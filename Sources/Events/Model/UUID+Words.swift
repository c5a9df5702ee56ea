import Foundation
import JSON

extension UUID {
    /// Creates a UUID whose first eight bytes are `high` and whose last eight are `low`, most significant byte first.
    package init(high: UInt64, low: UInt64) {
        func byte(_ word: UInt64, _ position: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> (56 - 8 * position))
        }
        self.init(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }

    /// Creates a UUID of version 8, for custom UUIDs (RFC 9562), from the first 16 bytes of a digest.
    ///
    /// - Parameter bits: a number that replaces the last seven bits.
    init(version8 digest: some ContiguousBytes, lastBits bits: UInt64? = nil) {
        var (high, low) = digest.withUnsafeBytes { ($0.word(at: 0), $0.word(at: 8)) }
        if let bits { low = low & ~0x7F | bits }
        self.init(high: high & ~0xF000 | 0x8000, low: low & ~(0xC0 << 56) | 0x80 << 56)
    }

    /// Appends the UUID in lower case, as texts state it.
    package func append(to text: inout [UInt8]) {
        let (high, low) = words
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 { text.append(UInt8(ascii: "-")) }
            let digit = UInt8(truncatingIfNeeded: (place < 16 ? high : low) >> UInt64(60 - place % 16 * 4)) & 0xF
            text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// The first and last eight bytes as numbers, which sort like the bytes.
    package var words: (high: UInt64, low: UInt64) {
        let bytes = uuid
        return withUnsafeBytes(of: bytes) { ($0.word(at: 0), $0.word(at: 8)) }
    }

    /// Reads a UUID written as 8-4-4-4-12 hexadecimal digits in either case, and nothing else.
    package init?(text: Span<UInt8>) {
        guard text.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for position in 0..<36 {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard text[position] == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = text[position].hexValue else { return nil }
            if position < 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
        }
        self.init(high: high, low: low)
    }
}

extension UnsafeRawBufferPointer {
    /// The eight bytes at a position as a number, most significant byte first.
    fileprivate func word(at position: Int) -> UInt64 {
        UInt64(bigEndian: loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
}
