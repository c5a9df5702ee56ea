import Testing

@testable import Zlib

/// Tests E42 without a server: a compressed body is decompressed completely or refused.
struct InflaterTests {
    private static let text = (0..<20_000).flatMap { Array("{\"event\":\($0 &* 2_654_435_761)}\n".utf8) }

    private static func compress(_ bytes: [UInt8], windowBits: Int32) -> [UInt8] {
        Gzip.compress(bytes, windowBits: windowBits) ?? []
    }

    /// Decompresses in chunks of a given size.
    private static func inflate(
        _ bytes: [UInt8], _ coding: CompressionFormat, limit: Int = 5 << 20, part: Int = 1 << 20
    ) throws -> [UInt8] {
        let inflater = Inflater(coding, limit: limit)
        for start in stride(from: 0, to: bytes.count, by: part) {
            try bytes[start..<min(start + part, bytes.count)].withUnsafeBytes { try inflater.write($0) }
        }
        return try inflater.finish()
    }

    @Test(arguments: [1, 2, 3, 1_000, 1 << 20])
    func `gzip, zlib and raw deflate are decompressed completely, in chunks of any size`(part: Int) throws {
        for (coding, windowBits) in [(CompressionFormat.gzip, Int32(31)), (.deflate, 15), (.deflate, -15)] {
            let body = Self.compress(Self.text, windowBits: windowBits)
            #expect(try Self.inflate(body, coding, part: part) == Self.text)
        }
    }

    @Test func `a gzip body can have several members`() throws {
        let body =
            Self.compress([1, 2], windowBits: 31) + Self.compress([], windowBits: 31)
            + Self.compress([3], windowBits: 31)
        #expect(try Self.inflate(body, .gzip) == [1, 2, 3])
        #expect(try Self.inflate(body, .gzip, part: 1) == [1, 2, 3])
    }

    @Test func `E42: a truncated, extended or changed body is refused`() throws {
        for (coding, windowBits) in [(CompressionFormat.gzip, Int32(31)), (.deflate, 15)] {
            let body = Self.compress(Array("[1,2,3]".utf8), windowBits: windowBits)
            for count in 0..<body.count {
                #expect(throws: InflateError.truncated) { try Self.inflate(Array(body.prefix(count)), coding) }
            }
            #expect(throws: InflateError.self) { try Self.inflate(body + [0], coding) }
            #expect(throws: InflateError.corrupt) { try Self.inflate(body + [0, 0], coding) }
            #expect(throws: InflateError.corrupt) { try Self.inflate(body + [0x1F, 0x8C], coding, part: 1) }
            var changed = body
            changed[body.count - 1] ^= 1
            #expect(throws: InflateError.corrupt) { try Self.inflate(changed, coding) }
        }
        #expect(throws: InflateError.corrupt) { try Self.inflate(Array("[1,2,3]".utf8), .gzip) }
    }

    @Test func `a body of exactly the limit is decompressed, and one byte more is refused`() throws {
        let limit = Self.text.count
        let body = Self.compress(Self.text, windowBits: 31)
        #expect(try Self.inflate(body, .gzip, limit: limit).count == limit)
        #expect(throws: InflateError.tooLarge) { try Self.inflate(body, .gzip, limit: limit - 1) }
    }

    @Test func `E42: a decompression bomb is stopped early by its ratio or its size`() throws {
        let bomb = Self.compress([UInt8](repeating: 32, count: 64 << 20), windowBits: 31)
        let inflater = Inflater(.gzip, limit: 5 << 20)
        #expect(throws: InflateError.tooDense) { try bomb.withUnsafeBytes { try inflater.write($0) } }
        #expect(inflater.output.count <= Inflater.floor)
        #expect(throws: InflateError.tooLarge) { try Self.inflate(bomb, .gzip, limit: 1_000) }
        let small = Self.compress([UInt8](repeating: 32, count: Inflater.floor), windowBits: 31)
        #expect(try Self.inflate(small, .gzip).count == Inflater.floor)
    }
}
