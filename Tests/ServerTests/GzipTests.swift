import Testing

@testable import Server
@testable import Zlib

@Suite struct GzipTests {
    @Test func `compressed bytes are decompressed to the same bytes`() throws {
        let text = Array(String(repeating: "const x = 1; // as in a script\n", count: 2_000).utf8)
        let zipped = try #require(Gzip.compressed(text))
        #expect(zipped.count < text.count / 10)
        let inflater = Inflater(.gzip, limit: text.count)
        try zipped.withUnsafeBytes { try inflater.write($0) }
        #expect(try inflater.finish() == text)
    }

    @Test func `bytes that would grow are not compressed`() {
        #expect(Gzip.compressed([]) == nil)
        #expect(Gzip.compressed([1, 2, 3]) == nil)
    }

    @Test(arguments: ["gzip", "br, gzip;q=0.5", "GZIP", "*", "deflate,gzip ; q=1"])
    func `a browser that accepts gzip gets it`(header: String) {
        #expect(Gzip.isAccepted(header))
    }

    @Test(arguments: ["", "br", "gzip;q=0", "gzip; q=0.0", "xgzip", "identity"])
    func `a browser that does not accept gzip gets uncompressed bytes`(header: String) {
        #expect(!Gzip.isAccepted(header))
        #expect(!Gzip.isAccepted(nil))
    }
}
