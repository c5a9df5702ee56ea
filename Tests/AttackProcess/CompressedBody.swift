import Foundation
import Zlib

/// Compressed bodies of an attacker.
enum CompressedBody {
    struct Failed: Error {}

    /// A request of events, each with further members.
    static func events(_ count: Int, _ members: () -> String) throws -> [UInt8] {
        try events(
            (0..<count).map { _ in
                """
                {"event_id":"\(UUID())","notification_id":"n","device_id":"\(UUID())",\(members()),\
                "occurred_at":"2026-11-20T10:00:00Z"}
                """
            })
    }

    /// A request of events as texts.
    static func events(_ events: [String]) throws -> [UInt8] {
        try gzip(#"{"events":[\#(events.joined(separator: ","))]}"#)
    }

    static func gzip(_ text: String) throws -> [UInt8] {
        guard let body = Gzip.compress(Array(text.utf8)) else { throw Failed() }
        return body
    }

    /// The beginning of a gzip body that becomes so many blanks or a few more, compressed as much as a body may be.
    static func beginning(of size: Int) -> [UInt8] {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        // A block with Huffman's fixed codes (RFC 1951, 3.2.6): a blank, and copies of it.
        var bits = Bits()
        bits.append(0b010, count: 3)
        bits.append(code: 0x30 + 0x20, count: 8)
        for _ in 0..<(size / 258) {
            // Length 258, distance 1.
            bits.append(code: 0b1100_0101, count: 8)
            bits.append(code: 0, count: 5)
        }
        bits.append(code: 0, count: 7)
        // The header of an empty block, whose length begins at the next byte.
        bits.append(0, count: 3)
        return header + nothing(bytes: size / 100 - bits.bytes.count) + bits.bytes + [0, 0, 0xFF, 0xFF]
    }

    /// Compressed data that becomes nothing: empty blocks.
    static func nothing(bytes: Int) -> [UInt8] {
        (0..<max(0, bytes / 5)).flatMap { _ in [0, 0, 0, 0xFF, 0xFF] }
    }

    /// Bits as deflate packs them, from the lowest one of each byte.
    private struct Bits {
        var bytes: [UInt8] = []
        private var used = 8

        mutating func append(_ value: Int, count: Int) {
            for index in 0..<count { append((value >> index) & 1) }
        }

        /// Appends a code of Huffman, which begins with its highest bit.
        mutating func append(code: Int, count: Int) {
            for index in (0..<count).reversed() { append((code >> index) & 1) }
        }

        private mutating func append(_ bit: Int) {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8(bit << used)
            used += 1
        }
    }
}
