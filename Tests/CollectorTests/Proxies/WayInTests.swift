import Foundation
import RawHTTP2
import TestSupport
import Testing

/// What clients do gives the same result over HTTP/1.1 and HTTP/2, directly and through nginx and HAProxy, as
/// docs/tls-and-proxies.md configures them.
@Suite struct WayInTests {
    private func code(_ response: Curl.Response) throws -> String? {
        let document = try JSONSerialization.jsonObject(with: Data(response.body.utf8)) as? [String: Any]
        return document?["code"] as? String
    }

    @Test(arguments: WayIn.allCases)
    func `an event is acknowledged and stored, and a bad one among good ones is rejected`(way: WayIn) async throws {
        let entrance = try await way.open()
        let campaign = "taken-\(way.word)"
        let good = #""campaign_id":"\#(campaign)""#
        let one = try await entrance.post(EventJSON.body(raw: [EventJSON.raw(good)]), key: entrance.app.ingestKey)
        #expect(one.status == 200)
        #expect(one.body == #"{"accepted":1,"duplicates":0,"rejected":[],"durability":"committed"}"#)
        #expect(one.headers["x-request-id"] != nil)
        #expect((one.headers["strict-transport-security"] != nil) == way.isSecure)
        let mixed = try await entrance.post(
            EventJSON.body(raw: [EventJSON.raw(good), "17", EventJSON.raw(good)]), key: entrance.app.sendKey)
        #expect(mixed.status == 200)
        #expect(mixed.body.contains(#""accepted":2"#) && mixed.body.contains(#""index":1"#), "\(mixed.body)")
        let bad = try await entrance.post(EventJSON.body(raw: ["17"]), key: entrance.app.ingestKey)
        #expect(bad.status == 422)
        #expect(try await entrance.stored(campaign: campaign) == "3")
    }

    // One way after another, because all share a collector, and an address its share of the memory for bodies.
    @Test(.serialized, arguments: WayIn.allCases)
    func `a compressed body is read, and a body over the limit gets 413`(way: WayIn) async throws {
        let entrance = try await way.open()
        let key = entrance.app.ingestKey
        let plain = EventJSON.body(raw: (0..<100).map { _ in EventJSON.raw() })
        let zipped = try await ZipArchive.compress(plain, windowBits: 31)
        let read = try await entrance.post(zipped, key: key, headers: ["Content-Encoding: gzip"])
        #expect(read.body.contains(#""accepted":100"#), "\(read.status) \(read.body)")
        let limit = Data("[]".utf8) + Data(repeating: 0x20, count: (5 << 20) - 2)
        #expect(try await entrance.post(limit, key: key).status == 200)
        for headers in [[], ["Transfer-Encoding: chunked"]] {
            let over = try await entrance.post(limit + Data([0x20]), key: key, headers: headers)
            #expect(over.status == 413)
            // nginx has the same limit, and a response of its own.
            if way.proxy != .nginx { #expect(try code(over) == "body_too_large", "\(over.body)") }
        }
        let bomb = try await entrance.post(ZipArchive.bomb(), key: key, headers: ["Content-Encoding: gzip"])
        #expect(bomb.status == 413)
    }

    @Test(arguments: WayIn.allCases)
    func `every refusal has its status and its code`(way: WayIn) async throws {
        let entrance = try await way.open()
        let app = entrance.app
        let body = EventJSON.body(raw: [EventJSON.raw()])
        func post(_ status: Int, _ code: String, key: String?, path: String = "/v1/events", _ headers: String...)
            async throws
        {
            let response = try await entrance.post(body, key: key, path: path, headers: headers)
            #expect(response.status == status, "\(path) \(headers): \(response.body)")
            #expect(try self.code(response) == code, "\(path) \(headers): \(response.body)")
            #expect(response.headers["content-type"] == "application/problem+json")
        }
        try await post(401, "unauthorized", key: nil)
        try await post(401, "unauthorized", key: "ap_ingest_invented")
        try await post(403, "scope_insufficient", key: app.readKey)
        try await post(415, "media_type_unsupported", key: app.ingestKey, "Content-Type: text/xml")
        try await post(415, "content_encoding_unsupported", key: app.ingestKey, "Content-Encoding: br")
        try await post(405, "method_not_allowed", key: app.ingestKey, path: "/livez")
        // A path has one spelling, so that a rule of a proxy for it holds.
        for path in [
            "/v1/nowhere", "//v1/events", "/v1//events", "/v1/events/", "/v1/./events", "/v1/x/../events",
            "/v1%2fevents", "/V1/events", "/v1/events;x", "/v1/events%20",
        ] {
            let response = try await entrance.curl("--path-as-is")(
                path, headers: ["Authorization: Bearer \(app.ingestKey)"], "-d", "[]")
            #expect(response.status == 404, "\(path): \(response.body)")
            #expect(try self.code(response) == "not_found", "\(path): \(response.body)")
        }
    }

    @Test(arguments: WayIn.allCases)
    func `reports, exports and live streams arrive whole and in time`(way: WayIn) async throws {
        let entrance = try await way.open()
        let key = "Authorization: Bearer \(entrance.app.readKey)"
        let campaign = "read-\(way.word)"
        let events = (0..<2_000).map { _ in EventJSON.raw(#""campaign_id":"\#(campaign)""#) }
        // It ends in the middle of the stream, and prints what has arrived until then.
        let stream = entrance.curl("--max-time", "5", "-N")
        async let live = stream("/v1/live", headers: [key])
        #expect(try await entrance.post(EventJSON.body(raw: events), key: entrance.app.sendKey).status == 200)
        let report = try await entrance.curl()("/v1/reports/rejected", headers: [key])
        #expect(report.status == 200 && report.body.contains("rows"), "\(report.body)")
        var export = try await entrance.curl()("/v1/export/events?format=ndjson", headers: [key])
        // The tests of all ways share the slots of an app.
        for _ in 0..<60 where export.status == 503 {
            try await Task.sleep(for: .milliseconds(500))
            export = try await entrance.curl()("/v1/export/events?format=ndjson", headers: [key])
        }
        #expect(export.body.components(separatedBy: #""\#(campaign)""#).count == 2_001)
        let head = try await entrance.curl("-I")("/openapi.json")
        #expect(head.status == 200 && head.body.isEmpty)
        let summaries = try await live.body.components(separatedBy: "data: ").count - 1
        #expect((2...6).contains(summaries), "one per second")
    }

    @Test(arguments: WayIn.http1)
    func `the requests after an export succeed, or the client was told that its connection closes`(
        way: WayIn
    ) async throws {
        let entrance = try await way.open()
        let key = "Authorization: Bearer \(entrance.app.readKey)"
        var connection = try await entrance.connect()
        for _ in 0..<20 {
            for path in ["/v1/export/replies", "/v1/reports"] {
                var response = ""
                // The tests of all ways share the slots of an app.
                for attempt in 0..<60 where attempt == 0 || response.hasPrefix("HTTP/1.1 503 ") {
                    if attempt > 0 { try await Task.sleep(for: .milliseconds(500)) }
                    connection.forget()
                    try await connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(key)\r\n\r\n")
                    response = await connection.receive { $0.hasSuffix("\r\n0\r\n\r\n") || $0.hasSuffix("}") } ?? ""
                    if response.lowercased().contains("\r\nconnection: close\r\n") {
                        connection = try await entrance.connect()
                    }
                }
                #expect(response.hasPrefix("HTTP/1.1 200 "), "\(path): \(response)")
            }
        }
    }
}
