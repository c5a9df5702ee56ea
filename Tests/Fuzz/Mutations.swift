extension Grammar {
    /// Changes bytes in a few places: by flips, cuts, copies, splices and meaningful pieces.
    mutating func mutated(_ input: [UInt8], with other: [UInt8]) -> [UInt8] {
        var bytes = input
        for _ in 0..<(1 + below(4)) where !bytes.isEmpty {
            let start = below(bytes.count)
            let end = min(bytes.count, start + 1 + below(chance(0.1) ? bytes.count : 6))
            switch below(9) {
            case 0: bytes[start] ^= 1 << UInt8(below(8))
            case 1: bytes[start] = UInt8(truncatingIfNeeded: below(256))
            case 2: bytes.removeSubrange(start..<end)
            case 3: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 4: bytes.removeLast(bytes.count - start)
            case 5: bytes.insert(contentsOf: one(of: Self.broken), at: start)
            case 6: bytes.replaceSubrange(start..<end, with: Array(value().utf8))
            case 7 where !other.isEmpty:
                let from = below(other.count)
                bytes.insert(contentsOf: other[from..<min(other.count, from + below(200))], at: start)
            default:
                let pieces = [
                    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\n", "\r", " ", "-", "e", ".", "\\u0000",
                ]
                bytes.replaceSubrange(start..<end, with: Array(one(of: pieces).utf8))
            }
        }
        return bytes
    }
}
