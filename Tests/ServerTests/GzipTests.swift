import Testing

@testable import Server
@testable import Zlib

@Suite struct GzipTests {
    @Test func `what is compressed is decompressed to the same bytes`() throws {
        let text = Array(String(repeating: "const x = 1; // as in a script\n", count: 2_000).utf8)
        let zipped = try #require(Gzip.compressed(text))
        #expect(zipped.count < text.count / 10)
        let inflater = Inflater(.gzip, limit: text.count)
        try zipped.withUnsafeBytes { try inflater.write($0) }
        #expect(try inflater.finish() == text)
    }

    @Test func `what would only grow is left as it is`() {
        #expect(Gzip.compressed([]) == nil)
        #expect(Gzip.compressed([1, 2, 3]) == nil)
    }

    @Test(arguments: ["gzip", "br, gzip;q=0.5", "GZIP", "*", "deflate,gzip ; q=1"])
    func `a browser that takes gzip gets it`(header: String) {
        #expect(Gzip.isAccepted(header))
    }

    @Test(arguments: ["", "br", "gzip;q=0", "gzip; q=0.0", "xgzip", "identity"])
    func `another one does not`(header: String) {
        #expect(!Gzip.isAccepted(header))
        #expect(!Gzip.isAccepted(nil))
    }
}
