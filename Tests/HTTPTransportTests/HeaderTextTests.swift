import HTTPTypes
import NIOHTTP1
import Testing

@testable import HTTPTransport

struct HeaderTextTests {
    private static let marks = "a" + String(repeating: "\u{345}\u{334}", count: 100)

    @Test func `a header with many combining marks in a row is refused over both versions of HTTP`() {
        for (value, isClear) in [("Grüße, 한글", true), (Self.marks, false)] {
            let head = HTTPRequestHead(
                version: .http1_1, method: .GET, uri: "/", headers: ["Host": "a", "User-Agent": value])
            #expect(RequestSmugglingFilter.isClear(head) == isClear)
            var request = HTTPRequest(method: .get, scheme: "https", authority: "a", path: "/")
            request.headerFields[.userAgent] = value
            #expect(request.isClear == isClear)
        }
        #expect(!HTTPRequest(method: .get, scheme: "https", authority: "a", path: "/" + Self.marks).isClear)
    }
}
