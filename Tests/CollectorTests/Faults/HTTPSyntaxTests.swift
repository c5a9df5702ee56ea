import Foundation
import TestSupport
import Testing

extension Faults {
    /// Tests E33: ambiguous requests are refused.
    @Suite struct HTTPSyntaxTests {
        /// The refused requests by their defect; `K` is replaced by the key and `B` by an event.
        static let malformed: [(String, String)] = [
            (
                "conflicting lengths",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            ),
            (
                "conflicting lengths, the other way",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
            ),
            ("two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
            (
                "the same length twice",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello"
            ),
            ("a list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\nhello"),
            ("a length with a sign", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello"),
            ("a negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\nhello"),
            ("a length in hexadecimal", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello"),
            (
                "a length past all numbers",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\nhello"
            ),
            ("a folded header", "POST / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\nContent-Length: 0\r\n\r\n"),
            ("a folded length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n 5\r\n\r\nhello"),
            ("bare LF in the headers", "POST / HTTP/1.1\nHost: a\nContent-Length: 0\n\n"),
            ("one bare LF", "POST / HTTP/1.1\r\nHost: a\nContent-Length: 0\r\n\r\n"),
            ("a bare LF at the end", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\n"),
            ("a bare CR", "POST / HTTP/1.1\r\nHost: a\rX: b\r\nContent-Length: 0\r\n\r\n"),
            ("a space before the colon", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 0\r\n\r\n"),
            ("a header without a name", "POST / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"),
            ("a header without a colon", "POST / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n"),
            ("NUL in a header", "POST / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n"),
            (
                "a coding of the transfer that is no chunks",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"
            ),
            (
                "a coding of the transfer twice",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            ),
            (
                "an obscure coding of the transfer",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"
            ),
            ("identity as coding of the transfer", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n"),
            ("chunks in HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            (
                "a chunk without a size",
                "POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer K\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"
            ),
            (
                "a chunk's size past all numbers",
                "POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer K\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"
            ),
            (
                "a chunk that is longer than it says",
                "POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer K\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]]\r\n0\r\n\r\n"
            ),
            (
                "a bare LF after a chunk's size",
                "POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer K\r\nTransfer-Encoding: chunked\r\n\r\n2\n[]\r\n0\r\n\r\n"
            ),
            ("no host", "GET /livez HTTP/1.1\r\n\r\n"),
            ("two hosts", "GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
            ("an empty host", "GET /livez HTTP/1.1\r\nHost: \r\n\r\n"),
            ("a path in the host", "GET /livez HTTP/1.1\r\nHost: a/b\r\n\r\n"),
            ("a user in the host", "GET /livez HTTP/1.1\r\nHost: a@b\r\n\r\n"),
            ("a list of hosts", "GET /livez HTTP/1.1\r\nHost: x, y\r\n\r\n"),
            ("a list of hosts without a blank", "GET /livez HTTP/1.1\r\nHost: x,y\r\n\r\n"),
            ("a port past all ports", "GET /livez HTTP/1.1\r\nHost: a:99999\r\n\r\n"),
            ("a port that is no number", "GET /livez HTTP/1.1\r\nHost: a:x\r\n\r\n"),
            ("an IPv6 address without brackets", "GET /livez HTTP/1.1\r\nHost: ::1\r\n\r\n"),
            ("an invalid host in HTTP/1.0", "GET /livez HTTP/1.0\r\nHost: a/b\r\n\r\n"),
            ("a URL of another host", "GET http://b/livez HTTP/1.1\r\nHost: a\r\n\r\n"),
            ("a URL of another port", "GET http://a:1/livez HTTP/1.1\r\nHost: a\r\n\r\n"),
            ("another version", "GET /livez HTTP/1.2\r\nHost: a\r\n\r\n"),
            ("HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
            ("HTTP/0.9", "GET /livez\r\n\r\n"),
            ("a path with a space", "GET /li vez HTTP/1.1\r\nHost: a\r\n\r\n"),
            ("a method in small letters", "get /livez HTTP/1.1\r\nHost: a\r\n\r\n"),
            ("TLS", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}"),
        ]

        @Test(arguments: malformed.indices)
        func `E33: an ambiguous request gets a single 400, and the connection is closed`(index: Int) async throws {
            let collector = try await HTTPTestCollector.shared.value
            let (what, text) = Self.malformed[index]
            // A server that reads the first request differently would treat the rest as another request.
            let smuggled =
                text.replacing("Bearer K", with: "Bearer \(collector.app.ingestKey)")
                + "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
            let response = try #require(try await collector.exchange(smuggled), "\(what): it stays open")
            #expect(response.hasPrefix("HTTP/1.1 400 "), "\(what): \(response.prefix(300))")
            #expect(response.components(separatedBy: "HTTP/1.1 ").count == 2, "\(what): \(response)")
            #expect(response.lowercased().contains("content-type: application/problem+json"), "\(what): \(response)")
            #expect(response.lowercased().contains("x-request-id: "), "\(what): \(response)")
            #expect(response.lowercased().contains("connection: close"), "\(what): \(response)")
        }

        @Test func `E33: an ambiguous request is answered after the requests before it`() async throws {
            let collector = try await HTTPTestCollector.shared.value
            let text =
                collector.request() + collector.request() + "GET / HTTP/1.1\r\n bad\r\n\r\n" + collector.request()
            let response = try #require(try await collector.exchange(text))
            let statuses = response.matches(of: /HTTP\/1.1 ([0-9]+)/).map { String($0.1) }
            #expect(statuses == ["200", "200", "400"])
        }

        @Test func `E33: a thousand requests at once are answered in order`() async throws {
            let collector = try await HTTPTestCollector.shared.value
            let paths = (0..<999).map { $0.isMultiple(of: 2) ? "/livez" : "/nowhere" }
            let requests = paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
            let last =
                "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
            let response = try #require(try await collector.exchange(requests + last, timeout: .seconds(60)))
            let statuses = response.matches(of: /HTTP\/1.1 ([0-9]+)/).map { String($0.1) }
            #expect(statuses == (paths + ["/livez"]).map { $0 == "/livez" ? "200" : "404" })
        }

        @Test func `E33: chunk extensions are allowed, but not megabytes of them`() async throws {
            let collector = try await HTTPTestCollector.shared.value
            let head = collector.head("Transfer-Encoding: chunked", "Connection: close")
            let withExtension = try await collector.exchange(head + "2;a=b\r\n[]\r\n0\r\nX-Trailer: a\r\n\r\n")
            #expect(withExtension?.hasPrefix("HTTP/1.1 200 ") == true, "\(withExtension ?? "")")
            let body = String(decoding: EventJSON.body(raw: [EventJSON.raw()]), as: UTF8.self)
            let single = body.map { "1\r\n\($0)\r\n" }.joined()
            let smallChunks = try await collector.exchange(head + single + "0\r\n\r\n")
            #expect(smallChunks?.hasPrefix("HTTP/1.1 200 ") == true, "\(smallChunks ?? "")")
            let endless = try collector.connect()
            await endless.send(head + "2;a=")
            let sent = await endless.send([UInt8](repeating: 0x78, count: 64 << 20))
            #expect(sent < 32 << 20)
            let response = await endless.receive()
            #expect(response == "" || response?.hasPrefix("HTTP/1.1 400 ") == true, "\(response ?? "open")")
        }

        @Test func `a body of thousands of tiny chunks is refused`() async throws {
            let collector = try await HTTPTestCollector.shared.value
            func status(chunks count: Int, of size: Int) async throws -> String? {
                let head = collector.head("Transfer-Encoding: chunked", "Connection: close")
                let chunk = "\(String(size, radix: 16))\r\n\(String(repeating: " ", count: size))\r\n"
                let body = String(repeating: chunk, count: count) + "2\r\n[]\r\n0\r\n\r\n"
                return try await collector.exchange(head + body).map { String($0.prefix(12)) }
            }
            #expect(try await status(chunks: 5_000, of: 1) == "HTTP/1.1 400")
            #expect(try await status(chunks: 900, of: 1) == "HTTP/1.1 200")
            #expect(try await status(chunks: 5_000, of: 40) == "HTTP/1.1 200")
        }

        @Test func `a path with an empty segment is not found, so that a proxy's rules for a path hold`() async throws {
            let collector = try await HTTPTestCollector.shared.value
            func status(_ target: String) async throws -> Substring? {
                let request = "GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                return try await collector.exchange(request)?.split(separator: " ").dropFirst().first
            }
            for target in [
                "//livez", "/livez/", "//v1//reports", "/v1/reports/", "/v1/reports/?from=2026-11-01", "//", "/%6Civez",
                "/./livez", "/livez;x",
            ] {
                #expect(try await status(target) == "404", "\(target)")
            }
            #expect(try await status("/livez?next=//v1//") == "200")
            #expect(try await status("/v1/reports?a=/") == "401")
            #expect(try await status("/") == "303")
        }

        @Test func `headers over 16 KiB get 431, and the connection is closed`() async throws {
            let collector = try await HTTPTestCollector.shared.value
            let response = try await collector.exchange(
                "GET /livez HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 17 * 1024))\r\n\r\n")
            #expect(response?.hasPrefix("HTTP/1.1 431 ") == true, "\(response ?? "open")")
        }

        @Test(arguments: ["Connection: close", "Upgrade: h2c\r\nConnection: Upgrade", "Connection: keep-alive, Close"])
        func `the last request of a connection is answered, and nothing after it is read`(field: String) async throws {
            let collector = try await HTTPTestCollector.shared.value
            let response = try #require(try await collector.exchange(collector.request(field) + collector.request()))
            #expect(response.components(separatedBy: "HTTP/1.1 200 ").count == 2, "\(response)")
            #expect(response.lowercased().contains("connection: close"))
        }

        @Test func `a truncated body is not accepted, whatever its headers announce`() async throws {
            let collector = try await HTTPTestCollector.shared.value
            let event = EventJSON.raw(#""campaign_id":"cut-off""#)
            for field in ["Content-Length: 5000", "Transfer-Encoding: chunked"] {
                let connection = try collector.connect()
                let part =
                    field.hasPrefix("T")
                    ? "\(String((event + "\n").utf8.count, radix: 16))\r\n\(event)\n\r\n" : event + "\n"
                await connection.send(collector.head(field, "Content-Type: application/x-ndjson") + part)
                connection.finishSending()
                let response = await connection.receive()
                #expect(response?.hasPrefix("HTTP/1.1 400 ") == true, "\(field): \(response ?? "open")")
            }
            let stored = try await collector.app.value(
                "select count(*) from afterpush.events where campaign_id = 'cut-off'")
            #expect(stored == "0")
        }
    }
}
