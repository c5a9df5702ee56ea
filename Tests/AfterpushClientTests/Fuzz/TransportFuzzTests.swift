import Foundation
import SeededRandom
import Testing
import Zlib

@testable import AfterpushClient

/// Sends random bytes to the transport in place of a response.
@Suite(.timeLimit(.minutes(30))) struct TransportFuzzTests {
    @Test func `any bytes that a server sends are refused or read within the limits, in little time`() async throws {
        var run = FuzzRun("transport")
        let transport = AfterpushClient.defaultTransport()
        while run.goesOn() {
            let bytes = run.random.mutated(Self.message(&run.random))
            let responder = try LocalResponder([.raw(bytes)])
            defer { responder.close() }
            let request = TransportRequest(
                method: run.random.one(of: "POST", "GET"), url: responder.url, headers: ["X": "y"],
                body: Data("{}".utf8), timeout: 5)
            let start = ContinuousClock.now
            let response = try? await transport.send(request)
            #expect(ContinuousClock.now - start < .seconds(10), "\(bytes)")
            run.note(response == nil ? "refused" : "read")
            guard let response else { continue }
            #expect(response.body.count <= TransportResponse.maximumBodyBytes)
            #expect(response.headers.allSatisfy { $0.key == $0.key.lowercased() })
            _ = SendDecision(response, count: 1)
        }
    }

    /// Returns a response that is almost right, before it is mutated.
    private static func message(_ random: inout SeededGenerator) -> [UInt8] {
        let status = random.one(
            of: "200 OK", "202 Accepted", "103 Early Hints", "100 Continue", "301 Moved", "307 Temporary Redirect",
            "401 Unauthorized", "503 Service Unavailable", "999 X", "101 Switching Protocols", "204 No Content")
        var fields = ["Content-Type: application/json"]
        for _ in 0..<random.number(0...4) {
            fields.append(
                random.one(
                    of: "Location: //%5B/", "Location: http://127.0.0.1:1/", "Retry-After: 7", "Trailer: X",
                    "WWW-Authenticate: Digest realm=\"x\", nonce=\"a\"", "Content-Encoding: gzip",
                    "Set-Cookie: a=b; expires=x", "Connection: keep-alive", "Alt-Svc: h3=\":1\"; ma=1",
                    "Content-Length: \(random.hostileNumber())", "X: " + String(repeating: "y", count: 9_000)))
        }
        let body = #"{"accepted":1,"duplicates":0,"rejected":[],"durability":"committed"}"#
        var bytes = Array(body.utf8)
        if random.happens(percent: 20) { bytes = Gzip.compress(bytes) ?? bytes }
        switch random.number(0...2) {
        case 0: fields.append("Content-Length: \(bytes.count)")
        case 1:
            fields.append("Transfer-Encoding: \(random.one(of: "chunked", "gzip, chunked", "identity"))")
            let trailer = random.happens(percent: 30) ? "X: y\r\n" : ""
            bytes = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n0\r\n\(trailer)\r\n".utf8)
        default: break
        }
        let next = random.happens(percent: 20) ? Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8) : []
        return Array("HTTP/1.1 \(status)\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n".utf8) + bytes + next
    }
}
