import Foundation
import TestSupport
import Testing

/// Tests the script that web pages load from the collector.
@Suite(.serialized) struct ClientScriptTests {
    @Test func `the script is small, and any page can load and cache it`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_CORS_ORIGINS": "none"])
        let client = TestClient(url: collector.url)
        let answer = try await client.get("/client/afterpush.js", key: nil, headers: ["Origin": "https://shop.example"])
        #expect(answer.status == 200)
        #expect(answer.body.count < 6_000 && answer.text.contains("self.afterpush = "))
        #expect(answer.headers["content-type"] == "text/javascript; charset=utf-8")
        #expect(answer.headers["access-control-allow-origin"] == "*")
        #expect(answer.headers["cross-origin-resource-policy"] == "cross-origin")
        #expect(answer.headers["cache-control"] == "public, max-age=3600")
        let tag = try #require(answer.headers["etag"])
        let again = try await client.get("/client/afterpush.js", key: nil, headers: ["If-None-Match": tag])
        #expect(again.status == 304 && again.body.isEmpty)
    }
}
