/// Texts that are looked for in another one, or behind its base64, all at once.
///
/// Bytes are read one after the other, and the last seven compared with the endings of all texts by one look into a table.
struct WantedTexts: Sendable {
    /// The texts by their ending: as a number, their last seven bytes, or all if they have fewer.
    private let texts: [UInt64: [[UInt8]]]
    /// The bits of an ending, a mask for each length.
    private let masks: [UInt64]
    /// Whether a text may have an ending, by the ending's hash. Few of the elements are true.
    private let table: [Bool]
    private let shift: UInt64
    /// The bytes that end a text.
    private let last: [Bool]
    /// The bytes that can follow a backslash if some of a text is escaped.
    private let escaped: [Bool]

    /// - Parameter texts: Texts of ASCII without backslashes and zeros.
    init(_ texts: [[UInt8]]) {
        var byEnding: [UInt64: [[UInt8]]] = [:]
        var masks: Set<UInt64> = []
        var last = [Bool](repeating: false, count: 256)
        var escaped = last
        escaped[Int(UInt8(ascii: "u"))] = true
        for text in texts {
            let ending = text.suffix(7)
            byEnding[ending.reduce(0) { $0 << 8 | UInt64($1) }, default: []].append(text)
            masks.insert(1 << (8 * UInt64(ending.count)) - 1)
            for byte in ending.suffix(1) { last[Int(byte)] = true }
            for byte in text { escaped[Int(byte)] = true }
        }
        let bits = UInt64(min(20, max(8, (byEnding.count * 64).bitWidth - (byEnding.count * 64).leadingZeroBitCount)))
        let shift = 64 - bits
        var table = [Bool](repeating: false, count: 1 << Int(bits))
        for ending in byEnding.keys { table[Self.hash(ending, shift)] = true }
        (self.texts, self.masks, self.table, self.shift) = (byEnding, Array(masks), table, shift)
        (self.last, self.escaped) = (last, escaped)
    }

    /// The ending's product with the golden ratio has evenly distributed high bits (Knuth, The Art of Computer Programming,
    /// 6.4).
    private static func hash(_ ending: UInt64, _ shift: UInt64) -> Int {
        Int(truncatingIfNeeded: (ending &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    }

    /// Whether bytes end with the ending of a text, or with an escape of one of its bytes.
    ///
    /// - Parameter bits: The bytes as a number; the lowest eight bits are the last byte.
    func canEnd(_ bits: UInt64) -> Bool {
        if bits & 0xFF00 == 0x5C00 { return escaped[Int(bits & 0xFF)] }
        guard last[Int(bits & 0xFF)] else { return false }
        return masks.contains { mask in
            table[Self.hash(bits & mask, shift)] && texts[bits & mask] != nil
        }
    }

    /// Whether any of the texts is in some bytes.
    func isAny(in bytes: [UInt8]) -> Bool {
        var bits: UInt64 = 0
        for at in bytes.indices {
            bits = bits << 8 | UInt64(bytes[at])
            guard last[Int(bytes[at])] else { continue }
            for mask in masks where table[Self.hash(bits & mask, shift)] {
                guard let texts = texts[bits & mask] else { continue }
                if texts.contains(where: { bytes[...at].suffix($0.count).elementsEqual($0) }) { return true }
            }
        }
        return false
    }
}
