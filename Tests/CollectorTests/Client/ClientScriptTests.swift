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
        let response = try await client.get(
            "/client/afterpush.js", key: nil, headers: ["Origin": "https://shop.example"])
        #expect(response.status == 200)
        #expect(response.body.count < 6_000 && response.text.contains("self.afterpush = "))
        #expect(response.headers["content-type"] == "text/javascript; charset=utf-8")
        #expect(response.headers["access-control-allow-origin"] == "*")
        #expect(response.headers["cross-origin-resource-policy"] == "cross-origin")
        #expect(response.headers["cache-control"] == "public, max-age=3600")
        let tag = try #require(response.headers["etag"])
        let again = try await client.get("/client/afterpush.js", key: nil, headers: ["If-None-Match": tag])
        #expect(again.status == 304 && again.body.isEmpty)
    }
}
