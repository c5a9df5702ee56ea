import Subprocess
import Testing

@testable import Zlib

struct GzipTests {
    @Test func `gunzip reads compressed bytes`() async throws {
        let text = Array(String(repeating: "afterpush ", count: 1_000).utf8)
        let packed = try #require(Gzip.compress(text))
        #expect(packed.count < 200)
        let read = try await Subprocess.run(.name("gunzip"), input: .array(packed), output: .bytes(limit: 1 << 20))
        #expect(read.standardOutput == text)
    }

    @Test func `compressed bytes are decompressed to the same bytes`() throws {
        for text in [[], [7], Array(String(repeating: "const x = 1; // as in a script\n", count: 2_000).utf8)] {
            let packed = try #require(Gzip.compress(text))
            let inflater = Inflater(.gzip, limit: text.count)
            try packed.withUnsafeBytes { try inflater.write($0) }
            #expect(try inflater.finish() == text)
        }
    }

    @Test func `the checksum is gzip's CRC-32`() {
        #expect(Gzip.checksum(Array("123456789".utf8)[...]) == 0xCBF4_3926)
    }
}
