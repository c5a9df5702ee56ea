import Subprocess
import Testing

@testable import AfterpushClient

struct CompressionTests {
    @Test func `gunzip reads the compressed body`() async throws {
        let text = Array(String(repeating: "afterpush ", count: 1_000).utf8)
        let packed = try #require(Compression.gzip(text))
        #expect(packed.count < 200)
        let read = try await Subprocess.run(.name("gunzip"), input: .array(packed), output: .bytes(limit: 1 << 20))
        #expect(read.standardOutput == text)
    }

    @Test func `the checksum is gzip's CRC-32`() {
        #expect(Compression.checksum(Array("123456789".utf8)[...]) == 0xCBF4_3926)
    }
}
