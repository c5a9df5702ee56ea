import Instruments
import RawHTTP2
import Testing

@testable import HTTPTransport

/// Tests with real sockets that a client which closes its side after a request is answered, and can't have any number of
/// requests worked on.
struct HalfClosedTests {
    private static let slack = Duration.seconds(30)

    /// Sends a request that takes two seconds, and closes the client's side.
    private func ask(_ server: HTTP2TestServer, source: String = "127.0.0.1") async throws -> RawTLSConnection {
        let client = try await RawTLSConnection(port: server.port, isSecure: false, source: source)
        try await client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        try await client.closeOutput()
        return client
    }

    @Test func `an address has at most 100 clients that closed their side, and is served again later`() async throws {
        let server = try await HTTP2TestServer(HTTPLimits(), version: .http1)
        var clients: [RawTLSConnection] = []
        for _ in 0..<120 { clients.append(try await ask(server)) }
        let other = try await ask(server, source: "127.0.0.2")
        var answered = 0
        for client in clients {
            let response = try #require(await client.receive(timeout: Self.slack))
            if response.hasPrefix("HTTP/1.1 200 ") { answered += 1 } else { #expect(response.isEmpty) }
        }
        #expect(answered == 100)
        #expect(server.metrics.resets[.flood] == 20)
        #expect(try #require(await other.receive(timeout: Self.slack)).hasPrefix("HTTP/1.1 200 "))
        let later = try await ask(server)
        #expect(try #require(await later.receive(timeout: Self.slack)).hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `a network without limits has any number of them`() async throws {
        let exempt = try AddressList("127.0.0.0/8")
        let server = try await HTTP2TestServer(HTTPLimits(), exempt: [exempt], version: .http1)
        var clients: [RawTLSConnection] = []
        for _ in 0..<120 { clients.append(try await ask(server)) }
        for client in clients {
            #expect(try #require(await client.receive(timeout: Self.slack)).hasPrefix("HTTP/1.1 200 "))
        }
        #expect(server.metrics.resets[.flood] == 0)
    }
}
