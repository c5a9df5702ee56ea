import Testing

@testable import Server

@Suite struct PathTextTests {
    @Test(arguments: [
        "d1", "a/b", "..", "%2F", "\u{1F469}\u{200D}\u{1F52C}", "e\u{301}", "a b+c?d#e;f=g&h", "\u{7F}\t",
    ])
    func `percent-encoded text is decoded to the same bytes`(text: String) {
        let part = PathText.encode(text)
        #expect(part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#".utf8.contains($0) })
        #expect(PathText.decode(part).map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(arguments: ["%", "%4", "%G1", "%1G", "a%", "%00", "%FF", "%C3%28", "%ED%A0%80"])
    func `an invalid encoding is refused`(part: String) {
        #expect(PathText.decode(part) == nil)
    }

    @Test func `a path and a query have at most 128 combining marks in a row`() {
        let marks = "a" + String(repeating: "\u{345}\u{334}", count: 1_000)
        #expect(PathText.decode(PathText.encode(marks))?.unicodeScalars.count == 129)
        let fields = FormFields("\(PathText.encode(marks))=\(PathText.encode(marks))".utf8).fields
        #expect(fields.map(\.name.unicodeScalars.count) == [129])
        #expect(fields.map { $0.value?.unicodeScalars.count } == [129])
    }

    @Test func `a path is exact if it has no empty segment`() {
        for path in ["/", "/livez", "/v1/reports", "/v1/devices/%2F%2F"] { #expect(ExactPath.isExact(path), "\(path)") }
        for path in ["", "//", "/livez/", "//livez", "/v1//reports", "/v1/reports//", "livez"] {
            #expect(!ExactPath.isExact(path), "\(path)")
        }
    }

    @Test func `a plus in a query is a space, and an encoded plus is a plus`() {
        let fields = FormFields("campaign=spring+sale&a%2Bb=1%2B1&empty=&bare&&x=%FF&%ZZ=1&x=a=b".utf8).fields
        #expect(fields.map(\.name) == ["campaign", "a+b", "empty", "bare", "x", "x"])
        #expect(fields.map(\.value) == ["spring sale", "1+1", "", "", nil, "a=b"])
    }
}
