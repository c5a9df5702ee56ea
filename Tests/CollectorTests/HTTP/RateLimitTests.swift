import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Tests rate limits and cross-origin requests, with the test as the proxy in front of the collector.
@Suite struct RateLimitTests {
    private static let shared = Task {
        try await HTTPTestCollector(environment: [
            "AFTERPUSH_RATE_KEY_ADDRESS": "10", "AFTERPUSH_RATE_KEY_TOTAL": "200", "AFTERPUSH_RATE_BURST": "10",
            "AFTERPUSH_RATE_FAILURES": "1", "AFTERPUSH_HTTP_PROXIES": "127.0.0.1",
            "AFTERPUSH_CORS_ORIGINS": "https://shop.example, https://www.shop.example",
            "AFTERPUSH_HTTP_CONNECTIONS_ADDRESS": "0",
        ])
    }

    private let collector: HTTPTestCollector

    init() async throws {
        collector = try await Self.shared.value
    }

    private func post(
        _ count: Int = 1, from address: String, key: String? = nil, headers: [String: String] = [:]
    ) async throws -> TestClient.Response {
        try await collector.client.post(
            "/v1/events", EventJSON.body(raw: (0..<count).map { _ in EventJSON.raw() }),
            key: key ?? collector.app.ingestKey,
            headers: headers.merging(["X-Forwarded-For": address]) { $1 })
    }

    @Test func `a device that sends too much has to wait and does not affect others`() async throws {
        #expect(try await post(1_000, from: "1.1.1.1").status == 200)
        let refused = try await post(from: "9.9.9.9, 1.1.1.1")
        #expect(refused.status == 429)
        #expect(try refused.json()["code"] as? String == "rate_limited")
        let wait = try #require(refused.headers["retry-after"].flatMap { Int($0) })
        #expect((1...100).contains(wait))
        #expect(try await post(from: "2.2.2.2").status == 200)
        #expect(try await post(from: "1.1.1.1", key: collector.app.sendKey).status == 200)
    }

    @Test func `a key over its limit has to wait at every address`() async throws {
        let key = try await collector.app.registry.createKey(app: collector.app.app, scope: .ingest)
        var statuses: [Int] = []
        for index in 0..<8 { statuses.append(try await post(5_000, from: "3.3.3.\(index)", key: key).status) }
        #expect(statuses.first == 200)
        #expect(statuses.last == 429)
        #expect(try await post(from: "4.4.4.4", key: key).status == 429)
        #expect(try await post(from: "4.4.4.4").status == 200)
    }

    @Test func `lookups of unknown keys from one address are limited, and valid keys still work`() async throws {
        var statuses: [Int] = []
        for index in 0..<30 { statuses.append(try await post(from: "5.5.5.5", key: "ap_ingest_\(index)").status) }
        #expect(statuses.prefix(10).allSatisfy { $0 == 401 }, "\(statuses)")
        #expect(statuses.contains(429), "\(statuses)")
        #expect(try await post(from: "6.6.6.6", key: "ap_ingest_x").status == 401)
        #expect(try await post(from: "7.7.7.7").status == 200)
        #expect(try await post(from: "5.5.5.5").status == 200)
    }

    @Test func `valid keys that the collector has never seen work at an address that floods it with unknown ones`()
        async throws
    {
        let app = collector.app
        let curl = Curl(collector.process.url)
        let forwarded = ["X-Forwarded-For: 5.5.6.6"]
        try await withThrowingTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    var count = 0
                    while !Task.isCancelled {
                        count += 1
                        let status = try await post(from: "5.5.6.6", key: "ap_ingest_\(number)_\(count)").status
                        #expect(status == 401 || status == 429)
                    }
                }
            }
            try await app.waitUntil("the address is limited") {
                try await post(from: "5.5.6.6", key: "ap_ingest_x").status == 429
            }
            for _ in 0..<10 {
                let key = try await app.registry.createKey(app: app.app, scope: .ingest)
                #expect(try await post(from: "5.5.6.6", key: key).status == 200)
            }
            let key = try await app.registry.createKey(app: app.app, scope: .read)
            let login = try await curl.post("/login", ["key": key], headers: forwarded)
            #expect(login.status == 303, "\(login)")
            #expect(try await curl("/v1/reports", session: login.session, headers: forwarded).status == 200)
            group.cancelAll()
        }
    }

    @Test func `unknown keys from the networks of one IPv6 customer count together`() async throws {
        var statuses: [Int] = []
        for number in 0..<30 {
            statuses.append(try await post(from: "2001:db8:0:\(number)::1", key: "ap_ingest_v6_\(number)").status)
        }
        #expect(statuses.prefix(10).allSatisfy { $0 == 401 } && statuses.contains(429), "\(statuses)")
        #expect(try await post(from: "2001:db8:0:100::1", key: "ap_ingest_v6").status == 401)
    }

    @Test func `a trusted proxy that says HTTPS gets what a client under TLS gets`() async throws {
        let secure = ["X-Forwarded-Proto": "https"]
        let strict = try await collector.client.get("/livez", key: nil, headers: secure)
        #expect(strict.headers["strict-transport-security"] == "max-age=31536000")
        let plain = try await collector.client.get("/livez", key: nil)
        #expect(plain.headers["strict-transport-security"] == nil)
        let curl = Curl(collector.process.url)
        let login = try await curl.post(
            "/login", ["key": collector.app.readKey], headers: ["X-Forwarded-Proto: https"])
        let cookie = login.headers["set-cookie"] ?? ""
        #expect(cookie.hasPrefix("__Host-afterpush_session=") && cookie.hasSuffix("; Secure"), "\(cookie)")
    }

    @Test func `only pages of listed origins can post`() async throws {
        func preflight(_ origin: String) async throws -> String {
            let request = """
                OPTIONS /v1/events HTTP/1.1\r
                Host: a\r
                Origin: \(origin)\r
                Access-Control-Request-Method: POST\r
                Access-Control-Request-Headers: authorization,content-type\r
                Connection: close\r
                \r\n
                """
            return try #require(try await collector.exchange(request)).lowercased()
        }
        let allowed = try await preflight("https://shop.example")
        #expect(allowed.hasPrefix("http/1.1 204 "))
        for field in [
            "access-control-allow-origin: https://shop.example\r\n", "access-control-allow-methods: post\r\n",
            "access-control-allow-headers: authorization, content-type, content-encoding\r\n",
            "access-control-max-age: ", "vary: origin\r\n", "x-request-id: ",
        ] { #expect(allowed.contains(field), "\(field): \(allowed)") }
        #expect(!(try await preflight("https://evil.example")).contains("access-control-allow"))
        let response = try await post(from: "8.8.8.8", headers: ["Origin": "https://www.shop.example"])
        #expect(response.headers["access-control-allow-origin"] == "https://www.shop.example")
        #expect(response.headers["access-control-expose-headers"] == "X-Request-Id, Retry-After")
        // The page must be able to read the reason of the refusal.
        let refused = try await post(from: "8.8.8.8", key: "none", headers: ["Origin": "https://shop.example"])
        #expect(refused.headers["access-control-allow-origin"] == "https://shop.example")
        let report = try await collector.client.get(
            "/v1/reports/conversion", key: collector.app.readKey, headers: ["Origin": "https://shop.example"])
        #expect(report.headers["access-control-allow-origin"] == nil)
    }
}
