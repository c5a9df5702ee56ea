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
        // A string's initializer reads only the first page of such a file.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(collector.pid)/maps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        #expect(maps.contains("/libpq.so"))
        #expect(!maps.contains("/libcurl"))
        #expect(!maps.contains("/libFoundationNetworking"))
    }
}
