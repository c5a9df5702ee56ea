import Foundation
import TestSupport
import Testing

/// Tests which libraries a running collector has loaded.
struct LoadedLibrariesTests {
    @Test func `a collector serves without an HTTP client, which only simulated devices need`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        #expect(try await client.get("/metrics", key: nil).status == 200)
        let maps = try String(contentsOfFile: "/proc/\(collector.pid)/maps", encoding: .utf8)
        #expect(maps.contains("/libpq.so"))
        #expect(!maps.contains("/libcurl"))
        #expect(!maps.contains("/libFoundationNetworking"))
    }
}
