import Foundation
import Testing
import Zlib

@testable import AfterpushClient

/// Tests servers that send what no collector sends, over the transport that a client uses by default.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HostileServerTests {
    private let transport = AfterpushClient.defaultTransport()

    /// Returns the response, or nil if the transport has refused it.
    private func ask(_ answer: LocalResponder.Response, timeout: Double = 10) async throws -> TransportResponse? {
        let responder = try LocalResponder([answer])
        defer { responder.close() }
        let request = TransportRequest(
            method: "POST", url: responder.url, headers: ["Authorization": "Bearer x"], body: Data("{}".utf8),
            timeout: timeout)
        return try? await transport.send(request)
    }

    @Test(arguments: [
        "9223372036854775807", "9223372036854775808", "99999999999999999999999999", "-1", "1e3", "", " ", "0x10",
        "3, 3",
        "+3", "2097153",
    ])
    func `a response with any Content-Length is read or refused`(length: String) async throws {
        let response = try await ask(.raw("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabc"), timeout: 3)
        #expect(response.map { $0.body.count <= 3 } ?? true)
    }

    @Test(
        arguments: [
            "//%5B/", "//%00/", "//[::1", "//:99999999999/", "//h:-1/", "http:///x", "x:y", "", "?%", "#%zz", "/%ff",
            "////x",
            "http://[v1.x]/", "//\u{202E}/", String(repeating: "/x", count: 20_000),
        ], [301, 302, 303, 307, 308])
    func `a redirect to any location is returned or refused`(location: String, status: Int) async throws {
        let response = try await ask(
            .raw("HTTP/1.1 \(status) Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"))
        #expect(response?.status ?? status == status)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nRetry-After: 7\r\nContent-Length: 9\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Type: ;;charset=\";\r\nSet-Cookie: =;=;expires=x\r\nContent-Length: 3\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nX: \u{E9}\r\n folded\r\nContent-Length: 3\r\n\r\nabc",
    ])
    func `an unusual response is read`(text: String) async throws {
        let response = try #require(try await ask(.raw(text)))
        #expect(response.status == 200 && response.body == Data("abc".utf8) && response.headers["retry-after"] == nil)
    }

    @Test(arguments: [
        "", "\r\n", "HTTP/1.1", "HTTP/1.1 \r\n\r\n", "HTTP/1.1 0 X\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "hello",
        "HTTP/1.1 99999999999999999999 X\r\n\r\n", "HTTP/1.1 -200 X\r\n\r\n", "HTTP/1.1 200 OK\r\nX\u{0}: y\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: x\r\nnothing\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n-1\r\nabc",
        "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", "\u{0}\u{0}\u{12}\u{4}",
    ])
    func `a malformed response is refused or read, but ends nothing`(text: String) async throws {
        _ = try await ask(.raw(text), timeout: 1)
    }

    /// libcurl before 8.1 uses freed memory for such a response if a handle has been used before.
    @Test func `a response whose first header field continues none is refused or read, also after another response`()
        async throws
    {
        let field = String(repeating: "y", count: 9_000)
        let first = LocalResponder.Response.raw("HTTP/1.1 200 OK\r\nX: \(field)\r\n\r\nabc")
        let second = LocalResponder.Response.raw("HTTP/1.1 200 OK\r\n a: b\r\nX: y\r\n\r\nabc")
        let answers = (0..<100).map { $0 % 2 == 0 ? first : second }
        let responder = try LocalResponder(answers)
        defer { responder.close() }
        for _ in answers {
            let request = TransportRequest(method: "GET", url: responder.url, headers: [:], body: nil, timeout: 10)
            if let response = try? await transport.send(request) { #expect(response.body == Data("abc".utf8)) }
        }
        #expect(responder.requests.count == answers.count)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", "X: y\r\n"), ("HTTP/1.1 200 OK\r\n", "Set-Cookie: a=b\r\n"),
        ("", "HTTP/1.1 100 Continue\r\n\r\n"), ("HTTP/1.1 200 OK\r\nX: ", "yyyyyyyy"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X: y\r\n"),
        ("HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n", "yyyyyyyy"), ("HTTP/1.1 200 OK\r\n\r\n", "yyyyyyyy"),
        ("HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n", "8\r\nyyyyyyyy\r\n"),
    ])
    func `an endless response is abandoned at once, whatever part of it is endless`(start: String, repeated: String)
        async throws
    {
        let before = Self.work
        let begin = ContinuousClock.now
        let block = String(repeating: repeated, count: 65_536 / repeated.utf8.count)
        #expect(try await ask(.raw(start, repeated: block)) == nil)
        #expect(ContinuousClock.now - begin < .seconds(5))
        #expect(Self.work - before < 3, "other tests work, too")
    }

    @Test func `header fields of 3 MB are refused in little time`() async throws {
        let fields = (0..<260_000).map { "X-\($0): y\r\n" }.joined()
        let begin = ContinuousClock.now
        #expect(try await ask(.raw("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n")) == nil)
        #expect(ContinuousClock.now - begin < .seconds(5))
    }

    @Test(arguments: ["Content-Encoding", "Transfer-Encoding"])
    func `a compressed response is not decompressed beyond the limit`(field: String) async throws {
        // 2,000 members of 100 KB each.
        let member = try #require(Gzip.compress([UInt8](repeating: 0, count: 100_000)))
        let bomb = (0..<2_000).flatMap { _ in member }
        let head = "HTTP/1.1 200 OK\r\n\(field): gzip\r\nConnection: close\r\n\r\n"
        let response = try await ask(.raw(Array(head.utf8) + bomb))
        #expect(response.map { $0.body.count <= TransportResponse.maximumBodyBytes } ?? true)
    }

    /// The processor time of the process in seconds.
    private static var work: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}
