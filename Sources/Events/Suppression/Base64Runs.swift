/// What is behind the base64 in a text, whole or damaged, wherever it begins.
///
/// A run of letters of base64 or base64url does not show where the encoded text begins, so each is decoded four times,
/// each time from the next letter. White space is passed over.
struct Base64Runs: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var at = 0
    private var letters: [UInt8] = []
    /// The letter from which the run is decoded next.
    private var start = 4

    private static let shortest = 12

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> [UInt8]? {
        while start == 4 {
            guard readRun() else { return nil }
            start = letters.count < Self.shortest ? 4 : 0
        }
        defer { start += 1 }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(letters.count)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for letter in letters[start...] {
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

    /// Reads the next run of letters, as numbers; false at the end.
    private mutating func readRun() -> Bool {
        letters.removeAll(keepingCapacity: true)
        while at < bytes.count {
            if let value = Self.values[Int(bytes[at])] {
                letters.append(value)
                at += 1
            } else {
                let space = bytes.spaceLength(at)
                if space == 0 && !letters.isEmpty { return true }
                at += Swift.max(1, space)
            }
        }
        return !letters.isEmpty
    }

    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()
}

extension [UInt8] {
    /// The length in bytes of the space or invisible character at a position, or 0 for any other character.
    func spaceLength(_ at: Int) -> Int {
        let byte = self[at]
        if byte == 0x20 || (0x09...0x0D).contains(byte) { return 1 }
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
