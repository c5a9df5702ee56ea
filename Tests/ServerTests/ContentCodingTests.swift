import Testing

@testable import Server

struct ContentCodingTests {
    @Test func `content codings are parsed as a list`() throws {
        #expect(try ContentCoding(header: nil) == .identity)
        #expect(try ContentCoding(header: "identity, GZIP") == .gzip)
        #expect(try ContentCoding(header: " x-gzip ") == .gzip)
        #expect(try ContentCoding(header: "Deflate") == .deflate)
        for (header, refusal) in [
            ("br", ContentCodingError.unknown), ("gzip, gzip", .nested), ("gzip,br", .unknown),
        ] {
            #expect(throws: refusal) { try ContentCoding(header: header) }
        }
    }

    @Test(arguments: ["gzip", "br, gzip;q=0.5", "GZIP", "*", "deflate,gzip ; q=1"])
    func `a browser that accepts gzip gets it`(header: String) {
        #expect(ContentCoding.acceptsGzip(header))
    }

    @Test(arguments: ["", "br", "gzip;q=0", "gzip; q=0.0", "xgzip", "identity"])
    func `a browser that does not accept gzip gets uncompressed bytes`(header: String) {
        #expect(!ContentCoding.acceptsGzip(header))
        #expect(!ContentCoding.acceptsGzip(nil))
    }
}
