import Foundation
import Testing

@testable import AfterpushClient

/// Tests requests over a real network to servers that are not collectors.
@Suite(.timeLimit(.minutes(1))) struct URLSessionTransportTests {
    private let transport = URLSessionTransport()

    private func ask(_ responder: LocalResponder, timeout: Double = 20) async throws -> TransportResponse {
        try await transport.send(
            TransportRequest(
                method: "POST", url: responder.url.appendingPathComponent("v1/events"),
                headers: ["Authorization": "Bearer ap_ingest_test"], body: Data("{}".utf8), timeout: timeout))
    }

    @Test func `a response has its status, headers and body`() async throws {
        let responder = try LocalResponder([.init(status: 429, headers: "Retry-After: 7\r\n", body: "later")])
        defer { responder.close() }
        let response = try await ask(responder)
        #expect(response.status == 429 && response.headers["retry-after"] == "7")
        #expect(response.body == Data("later".utf8))
        #expect(responder.requests.first?.contains("Bearer ap_ingest_test") == true)
    }

    @Test(arguments: [301, 302, 307, 308]) func `a redirect is not followed, because events are for the collector only`(
        status: Int
    ) async throws {
        let other = try LocalResponder([.init(status: 200, body: "{}")])
        defer { other.close() }
        let responder = try LocalResponder([
            .init(status: status, headers: "Location: \(other.url.absoluteString)/v1/events\r\n", body: "")
        ])
        defer { responder.close() }
        #expect(try await ask(responder).status == status)
        #expect(other.requests.isEmpty)
    }

    @Test func `an endless response is abandoned before it exhausts an extension's memory`() async throws {
        let page = String(repeating: "<p>Sign in</p>", count: 4_000)
        let responder = try LocalResponder([.init(status: 200, body: page, isEndless: true)])
        defer { responder.close() }
        await #expect(throws: ResponseCollector.TooLarge.self) { try await ask(responder) }
    }

    @Test func `a request without a response ends at its time limit`() async throws {
        let responder = try LocalResponder([.silence])
        defer { responder.close() }
        await #expect(throws: (any Error).self) { try await ask(responder, timeout: 0.3) }
    }
}
