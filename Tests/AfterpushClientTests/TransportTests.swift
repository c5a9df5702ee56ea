import AfterpushURLSession
import Foundation
import Testing

@testable import AfterpushClient

/// The two transports: that of Apple platforms, and the default on Linux.
enum TransportKind: CaseIterable {
    case urlSession
    case curl

    func make() -> any EventTransport {
        self == .curl ? CurlTransport() : URLSessionTransport()
    }
}

/// Tests requests over a real network to servers that are not collectors.
@Suite(.timeLimit(.minutes(1))) struct TransportTests {
    private func ask(
        _ responder: LocalResponder, over kind: TransportKind, timeout: Double = 20
    ) async throws -> TransportResponse {
        try await ask(responder, over: kind.make(), timeout: timeout)
    }

    private func ask(
        _ responder: LocalResponder, over transport: any EventTransport, timeout: Double = 20
    ) async throws -> TransportResponse {
        try await transport.send(
            TransportRequest(
                method: "POST", url: responder.url.appendingPathComponent("v1/events"),
                headers: ["Authorization": "Bearer ap_ingest_test"], body: Data("{}".utf8), timeout: timeout))
    }

    @Test(arguments: TransportKind.allCases)
    func `a response has its status, headers and body`(kind: TransportKind) async throws {
        let responder = try LocalResponder([.init(status: 429, headers: "Retry-After: 7\r\n", body: "later")])
        defer { responder.close() }
        let response = try await ask(responder, over: kind)
        #expect(response.status == 429 && response.headers["retry-after"] == "7")
        #expect(response.body == Data("later".utf8))
        #expect(responder.requests.first?.contains("Bearer ap_ingest_test") == true)
    }

    @Test(arguments: TransportKind.allCases, [301, 302, 307, 308])
    func `a redirect is not followed, because events are for the collector only`(
        kind: TransportKind, status: Int
    ) async throws {
        let other = try LocalResponder([.init(status: 200, body: "{}")])
        defer { other.close() }
        let responder = try LocalResponder([
            .init(status: status, headers: "Location: \(other.url.absoluteString)/v1/events\r\n", body: "")
        ])
        defer { responder.close() }
        #expect(try await ask(responder, over: kind).status == status)
        #expect(other.requests.isEmpty)
    }

    @Test(arguments: TransportKind.allCases)
    func `an endless response is abandoned before it exhausts an extension's memory`(kind: TransportKind) async throws {
        let page = String(repeating: "<p>Sign in</p>", count: 4_000)
        let responder = try LocalResponder([.init(status: 200, body: page, isEndless: true)])
        defer { responder.close() }
        await #expect(throws: TransportResponse.TooLarge.self) { try await ask(responder, over: kind) }
    }

    @Test(arguments: TransportKind.allCases)
    func `a request without a response ends at its time limit`(kind: TransportKind) async throws {
        let responder = try LocalResponder([.silence])
        defer { responder.close() }
        await #expect(throws: (any Error).self) { try await ask(responder, over: kind, timeout: 0.3) }
    }

    @Test(
        arguments: TransportKind.allCases, ["Basic realm=\"x\"", "Basic realm", "Digest realm=\"x\", nonce=\"a\"", "X"])
    func `a response with status 401 arrives, whatever credentials it asks for`(kind: TransportKind, challenge: String)
        async throws
    {
        let responder = try LocalResponder([
            .init(status: 401, headers: "WWW-Authenticate: \(challenge)\r\n", body: "no")
        ])
        defer { responder.close() }
        #expect(try await ask(responder, over: kind, timeout: 10).status == 401)
    }

    @Test func `one connection serves several requests, with and without a body`() async throws {
        let responder = try LocalResponder([.init(status: 200, body: "{}", keepsConnection: true)])
        defer { responder.close() }
        let transport = CurlTransport()
        for method in ["GET", "POST", "GET", "PUT", "POST"] {
            let body = method == "GET" ? nil : Data(String(repeating: "x", count: 300_000).utf8)
            let request = TransportRequest(
                method: method, url: responder.url, headers: ["X-Test": "a b"], body: body, timeout: 10)
            #expect(try await transport.send(request).body == Data("{}".utf8))
            let received = try #require(responder.requests.last)
            #expect(received.hasPrefix("\(method) / HTTP/1.1\r\n") && received.contains("X-Test: a b\r\n"))
            #expect(received.utf8.count > (body?.count ?? 0) && !received.contains("Expect"))
        }
        let empty = TransportRequest(method: "POST", url: responder.url, headers: [:], body: Data(), timeout: 10)
        #expect(try await transport.send(empty).status == 200)
        #expect(responder.connections == 1)
    }

    @Test func `requests at the same time don't wait for each other`() async throws {
        let silent = try LocalResponder([.silence])
        let responder = try LocalResponder([.init(status: 200, body: "{}")])
        defer {
            silent.close()
            responder.close()
        }
        let transport = CurlTransport()
        try await withThrowingTaskGroup(of: Void.self) { group in
            // More than the processors, of which a concurrent queue has one thread each.
            for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
                group.addTask { _ = try? await ask(silent, over: transport, timeout: 3) }
            }
            try await Task.sleep(for: .milliseconds(200))
            let start = ContinuousClock.now
            #expect(try await ask(responder, over: transport).status == 200)
            #expect(ContinuousClock.now - start < .seconds(2))
            group.cancelAll()
        }
    }

    @Test(arguments: ["a\r\nX-Injected: 1", "a\u{0}b", "a\nb"])
    func `a header field with a line end is not sent`(value: String) async throws {
        let responder = try LocalResponder([.init(status: 200, body: "")])
        defer { responder.close() }
        let request = TransportRequest(
            method: "GET", url: responder.url, headers: ["X-Test": value], body: nil, timeout: 10)
        await #expect(throws: (any Error).self) { try await CurlTransport().send(request) }
        #expect(responder.requests.isEmpty)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "dict://127.0.0.1/", "http://"])
    func `nothing but HTTP is spoken`(address: String) async throws {
        let url = try #require(URL(string: address))
        let request = TransportRequest(method: "GET", url: url, headers: [:], body: nil, timeout: 5)
        await #expect(throws: (any Error).self) { try await CurlTransport().send(request) }
    }
}
