/// What is behind the base64 in a text, whole or damaged, wherever it begins, as far as it may have certain texts in
/// it.
///
/// A run of letters of base64 or base64url does not show where the encoded text begins, so it can be decoded in four
/// ways, each from the next letter. White space is passed over.
struct Base64Runs {
    /// The decoded texts, each byte a character.
    private(set) var texts: [[UInt8]] = []

    private let bytes: [UInt8]
    private let wanted: WantedTexts
    private static let shortest = 12

    /// - Parameter wanted: The texts that the decoded ones may have, with or without escapes.
    init(_ bytes: [UInt8], with wanted: WantedTexts) {
        self.bytes = bytes
        self.wanted = wanted
        bytes.withUnsafeBufferPointer { bytes in Self.letters.withUnsafeBufferPointer { find(in: bytes, $0) } }
    }

    /// Looks at the text letter by letter. Most runs name nothing, and are not decoded.
    private mutating func find(in bytes: UnsafeBufferPointer<UInt8>, _ letters: UnsafeBufferPointer<UInt8>) {
        var at = 0
        while at < bytes.count {
            guard letters[Int(bytes[at])] != Self.none else {
                at += 1
                continue
            }
            let start = at
            var run = Run()
            while at < bytes.count {
                let letter = letters[Int(bytes[at])]
                if letter != Self.none {
                    run.add(letter, wanted)
                    at += 1
                } else {
                    let space = self.bytes.spaceLength(at)
                    guard space > 0 else { break }
                    at += space
                }
            }
            guard run.count >= Self.shortest, run.starts != 0 else { continue }
            let found = bytes[start..<at].lazy.map { letters[Int($0)] }.filter { $0 != Self.none }
            for start in 0..<4 where run.starts & 1 << start != 0 { texts.append(Self.decoded(found.dropFirst(start))) }
        }
    }

    private static func decoded(_ letters: some Sequence<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for letter in letters {
            bits = bits << 6 | UInt32(letter)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            let byte = UInt8(truncatingIfNeeded: bits >> count)
            // A text in the database has no zero.
            decoded.append(byte == 0 ? UInt8(ascii: " ") : byte)
        }
        return decoded
    }

    /// No letter of base64.
    private static let none: UInt8 = 0xFF

    /// The numbers that bytes stand for.
    private static let letters: [UInt8] = {
        var values = [UInt8](repeating: none, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()
}

/// Finds out in which of the four ways a run of letters is worth decoding.
private struct Run {
    private(set) var count = 0
    /// The letters from which the run is to be decoded, one bit each.
    private(set) var starts = 0
    /// The last letters, six bits each.
    private var bits: UInt64 = 0

    mutating func add(_ letter: UInt8, _ wanted: WantedTexts) {
        bits = bits &<< 6 | UInt64(letter)
        count &+= 1
        // A byte ends with the letter, or two or four bits before its end.
        if wanted.canEnd(bits) { start(0) }
        if wanted.canEnd(bits &>> 2) { start(2) }
        if wanted.canEnd(bits &>> 4) { start(4) }
    }

    /// Decodes from the letter at which bytes begin that end so many bits before the end.
    private mutating func start(_ rest: Int) {
        // Bytes begin 0, 6, 12 or 18 bits after the beginning of the run.
        let end = (count * 6 - rest) % 8
        starts |= 1 << ((8 - end) % 8 / 2)
    }
}

extension [UInt8] {
    /// The length in bytes of the space or invisible character at a position, or 0 for any other character.
    func spaceLength(_ at: Int) -> Int {
        let byte = self[at]
        // PostgreSQL may take the separators from 1C to 1F for space, which depends on the database's locale.
        if byte == 0x20 || byte >= 0x09 && byte <= 0x0D || byte >= 0x1C && byte <= 0x1F { return 1 }
        guard byte >= 0xC2, at + 1 < count else { return 0 }
        let second = self[at + 1]
        if byte == 0xC2 { return second == 0x85 || second == 0xA0 ? 2 : 0 }
        guard at + 2 < count else { return 0 }
        let third = self[at + 2]
        return switch (byte, second) {
        case (0xE1, 0x9A) where third == 0x80, (0xE3, 0x80) where third == 0x80, (0xEF, 0xBB) where third == 0xBF: 3
        case (0xE2, 0x80) where (0x80...0x8F).contains(third) || [0xA8, 0xA9, 0xAF].contains(third): 3
        case (0xE2, 0x81) where third == 0x9F || third == 0xA0: 3
        default: 0
        }
    }
}
